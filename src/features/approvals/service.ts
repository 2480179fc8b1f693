/**
 * Approvals: an employee who may not issue a refund asks one who may, and gets six digits. One code makes one approval
 * of one point and one subject, which is a record of the history and nothing else.
 */
import { desc, eq, sql } from 'drizzle-orm';
import { pointsIn } from '../../identity/history/mentioned.ts';
import type { HistoryFilter, HistoryRecord } from '../../identity/history/model.ts';
import { factsOf, record } from '../../identity/history/record.ts';
import { listRecords, newestRecords } from '../../identity/history/service.ts';
import { reachesStore } from '../../identity/rights/authority.ts';
import { type Account, findAccount, findAccountsNamed } from '../../identity/session/accounts.ts';
import { type Actor, type Caller, isReadyToWork, isSelf } from '../../identity/session/actor.ts';
import { chainPoints } from '../../identity/session/granted-permissions.ts';
import { forbidden } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { param, queries, transaction } from '../../platform/database/query.ts';
import { employees, history, subjectOf } from '../../platform/database/schema.ts';
import { invalidRequest, tooManyAttempts } from '../../platform/http/reply.ts';
import { addSeconds, daySeconds } from '../../platform/vocabulary/day.ts';
import { type AppError, businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { holds, isStoreScoped, type PermissionCode, type Permissions } from '../../platform/vocabulary/permissions.ts';
import type { SignInDependencies } from '../auth/sign-in.ts';
import { type ApprovalCodes, codeLifetime } from './codes.ts';
import {
	type Approval,
	type ApprovalCode,
	type ApprovalsQuery,
	approvalMessages,
	type RequestApproval,
} from './model.ts';

/** The dependencies of approvals. */
export interface ApprovalDependencies extends Pick<SignInDependencies, 'db' | 'guard' | 'refusedSignIns'> {
	approvalCodes: ApprovalCodes;
}

const read = queries(({ select }) => ({
	// A deleted employee keeps their store.
	employee: select({ storeId: employees.storeId, approvalsGiven: employees.approvalsGiven })
		.from(employees)
		.where(eq(employees.id, param('id'))),
	ofSubject: select({ id: history.id })
		.from(history)
		.where(sql`${history.action} = 'APPROVAL' and ${subjectOf(history.changes)} = ${param('subject')}`)
		.orderBy(desc(history.id))
		.limit(maxSearched),
}));

/**
 * The approval code that the caller reads out to a colleague, and the number of wrong codes that others tried in the last
 * 24 hours. @throws AppError FORBIDDEN without a point of the chain.
 */
export function getApprovalCode({ db, approvalCodes }: ApprovalDependencies, { actor, at }: Caller): ApprovalCode {
	if (!holdsOwnPoint(db, actor.permissions)) throw forbidden(approvalMessages.ownPointNeeded);
	const code = approvalCodes.show({ id: actor.id, approvalsGiven: countApprovals(db, actor.id) }, at);
	const refused = { action: 'APPROVAL_REFUSED', targetType: 'EMPLOYEE', targetId: actor.id } as const;
	const wrong = newestRecords(db, { ...refused, from: addSeconds(at, -daySeconds) }, 200);
	return { ...code, wrongCodes: wrong.reduce((sum, { count }) => sum + count, 0) };
}

const maxListed = 20;

/** Lists the newest approvals given by the caller, with titles if asked for. */
export function listOwnApprovals(db: Db, { id }: Actor, { include }: typeof ApprovalsQuery.static): Approval[] {
	const records = newestRecords(db, { action: 'APPROVAL', targetType: 'EMPLOYEE', targetId: id }, maxListed);
	const pointsOf = include ? pointsIn(db, records) : () => ({ points: [] });
	return records.map((record) => {
		const [point] = pointsOf(record).points ?? [];
		return { ...approvalOf(record), ...(point && { title: point.title }) };
	});
}

/** The maximum number of approvals to search for those that the caller may see, or got by the same request. */
const maxSearched = 200;

/** Lists the newest approvals of a subject that the caller may see. @throws AppError NOT_FOUND without any. */
export function listApprovalsOf(db: Db, actor: Actor, subject: string): Approval[] {
	const newest = Array.from(read(db).ofSubject.all({ subject }), ({ id }) => id);
	const found = visibleAmong(db, actor, newest).slice(0, maxListed);
	return orNotFound(found.length > 0 ? found : undefined, approvalMessages.notFound);
}

/** @throws AppError NOT_FOUND, also for an approval that the caller may not see. */
export function getApproval(db: Db, actor: Actor, id: number): Approval {
	return orNotFound(visibleAmong(db, actor, [id])[0], approvalMessages.notFound);
}

/** The approvals among these records that an account or a program may see. */
function visibleAmong(db: Db, actor: Actor, ids: readonly number[]): Approval[] {
	const approvals = listRecords(db, ids).filter(({ action }) => action === 'APPROVAL');
	return approvals.map(approvalOf).filter(({ permission, requestedBy, approvedBy }) => {
		if (isSelf(actor, requestedBy.id) || isSelf(actor, approvedBy.id)) return true;
		const isHeld = holds(actor.permissions, permission as PermissionCode);
		const storeId = read(db).employee.get({ id: requestedBy.id })?.storeId;
		return isHeld && storeId !== undefined && isConcerned(db, actor, storeId, actor.today);
	});
}

/** Whether a store concerns an account or a program: one for all stores, one of this store, or one that sees its people. */
function isConcerned(db: Db, account: Account | Actor, storeId: number, today: string): boolean {
	if (account.accountType === 'PROGRAM') return !isStoreScoped(account.permissions) || account.storeId === storeId;
	if (account.accountType === 'SUPER_ADMIN' || account.storeId === storeId) return true;
	return reachesStore(db, account, storeId, today);
}

/**
 * The approval that the caller got by the same request, while its code lives. The number of the approver's later approvals
 * tells which code made it. No attempt is counted, because the caller knows the code.
 */
export function findRepeated(
	{ db, approvalCodes }: ApprovalDependencies,
	{ actor, at }: Caller,
	{ permission, subject, approver, code }: RequestApproval,
): Approval | undefined {
	const id = findAccountsNamed(db, approver.trim()).employee?.id;
	const from = addSeconds(at, -codeLifetime);
	const recent = (people: HistoryFilter) =>
		newestRecords(db, { action: 'APPROVAL', from, ...people }, maxSearched).map(approvalOf);
	const isSame = ({ requestedBy, approvedBy, ...each }: Approval) =>
		each.permission === permission && each.subject === subject && isSelf(actor, requestedBy.id) && approvedBy.id === id;
	// The approver's records are read only then: otherwise the time would tell which numbers exist.
	if (!recent({ actorType: 'EMPLOYEE', actorId: actor.id }).some(isSame) || id === undefined) return undefined;
	const total = countApprovals(db, id);
	const isOf = (later: number) => approvalCodes.matches(code.trim(), { id, approvalsGiven: total - 1 - later }, at);
	return recent({ targetType: 'EMPLOYEE', targetId: id }).find((each, later) => isSame(each) && isOf(later));
}

/**
 * Requests the approval of one point and one subject.
 * @throws AppError VALIDATION_ERROR for a code that is not a point of the chain; FORBIDDEN for a wrong code or
 * approver; TOO_MANY_REQUESTS.
 */
export function requestApproval(
	dependencies: ApprovalDependencies,
	caller: Caller,
	{ permission, subject, approver, code }: RequestApproval,
): Approval {
	const { db, guard, refusedSignIns } = dependencies;
	const { actor, address } = caller;
	const asked = { permission: requirePoint(db, permission), subject };
	// Trimming is enough: digits need no Unicode composition, which takes long for a long text.
	const [phone, typed] = [approver.trim(), code.trim()];
	const named = findAccountsNamed(db, phone).employee;
	// Counted by number, known or not: the count must not reveal which numbers exist.
	const attemptOf = (key: string) => ({ subject: key, address, own: { kind: 'approval', key } }) as const;
	const [own, ofApprover] = [attemptOf(`${actor.id} asks`), attemptOf(`asks ${phone}`)];
	function refused(refusal: AppError): AppError {
		const target = named && { id: named.id, name: named.name };
		refusedSignIns.add(caller, { action: 'APPROVAL_REFUSED', ...(target && { target }) });
		return refusal;
	}
	const attempt = () =>
		transaction(db, () => {
			const account = findApprover(dependencies, caller, named ?? actor, typed);
			return account && approve(db, caller, account, asked);
		});
	const approval = guard.tryNow([own, ofApprover], attempt, (seconds) => refused(tooManyAttempts(seconds)));
	if (!approval) throw refused(businessError('FORBIDDEN', 'body.code', approvalMessages.wrongCode));
	// A busy till makes mistakes, so its own count is cleared. The approver's count stays: an accomplice could clear it
	// for others.
	guard.succeeded(own);
	return approval;
}

/** The code of one of the chain's points. @throws AppError VALIDATION_ERROR for any other text */
function requirePoint(db: Db, code: string): PermissionCode {
	const point = chainPoints(db).find((each) => each.code === code);
	if (!point) throw invalidRequest([{ path: 'body.permission', ...approvalMessages.noOwnPoint }]);
	return point.code;
}

/**
 * The owner of a code, if they can approve: another employee who could see the code now. For an unknown number, `id` is
 * the caller's own, which is never accepted: so the check takes as long, and the timing reveals nothing.
 */
function findApprover(
	{ db, approvalCodes }: ApprovalDependencies,
	{ actor, at }: Caller,
	{ id }: { id: number },
	code: string,
): Account | undefined {
	const account = findAccount(db, { accountType: 'EMPLOYEE', id });
	const isRight = approvalCodes.matches(code, { id, approvalsGiven: countApprovals(db, id) }, at);
	if (!account || !isReadyToWork(db, account, actor.requirements)) return undefined;
	return isRight && id !== actor.id && holdsOwnPoint(db, account.permissions) ? account : undefined;
}

/**
 * Saves the approval, which ends the code. The approver must hold the point, and work in the caller's store or reach it.
 * @throws AppError FORBIDDEN
 */
function approve(
	db: Db,
	caller: Caller,
	approver: Account,
	asked: { permission: PermissionCode; subject: string },
): Approval {
	const { id, name } = approver;
	const { actor } = caller;
	const isReached = actor.accountType === 'EMPLOYEE' && isConcerned(db, approver, actor.storeId, actor.today);
	if (!approver.permissions.has(asked.permission) || !isReached) {
		throw businessError('FORBIDDEN', 'body.permission', approvalMessages.notHeld);
	}
	db.update(employees)
		.set({ approvalsGiven: sql`${employees.approvalsGiven} + 1` })
		.where(eq(employees.id, id))
		.run();
	const event = { action: 'APPROVAL', target: { id, name }, changes: factsOf(asked) } as const;
	return getApproval(db, actor, record(db, caller, event));
}

function countApprovals(db: Db, id: number): number {
	return read(db).employee.get({ id })?.approvalsGiven ?? 0;
}

function holdsOwnPoint(db: Db, permissions: Permissions): boolean {
	return chainPoints(db).some(({ code }) => permissions.has(code));
}

function approvalOf({ id, at, changes, actorId, actorName, targetId, targetName }: HistoryRecord): Approval {
	const after = new Map(changes.map((change) => [change.field, String(change.after)]));
	return {
		id,
		at,
		permission: after.get('permission') ?? '',
		subject: after.get('subject') ?? '',
		requestedBy: { id: actorId ?? 0, name: actorName },
		approvedBy: { id: targetId ?? 0, name: targetName ?? '' },
	};
}
