/**
 * Approvals: an employee who may not issue a refund asks one who may, and gets six digits. One code makes one approval
 * of one point and one subject, which is a record of the history and nothing else.
 */
import { desc, eq, sql } from 'drizzle-orm';
import { attemptAt } from '../../identity/guard/attempts.ts';
import type { Guard } from '../../identity/guard/guard.ts';
import type { RefusedSignIns } from '../../identity/guard/refused-sign-ins.ts';
import { pointsIn } from '../../identity/history/mentioned.ts';
import type { HistoryRecord } from '../../identity/history/model.ts';
import { factsOf, record } from '../../identity/history/record.ts';
import { getHistoryRecord, listRecords, newestRecords } from '../../identity/history/service.ts';
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
import { businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import { holds, isStoreScoped, type PermissionCode, type Permissions } from '../../platform/vocabulary/permissions.ts';
import type { ApprovalCodes } from './codes.ts';
import {
	type Approval,
	type ApprovalCode,
	type ApprovalsQuery,
	approvalMessages,
	type RequestApproval,
} from './model.ts';

/** The dependencies of approvals. */
export interface ApprovalDependencies {
	db: Db;
	guard: Guard;
	refusedSignIns: RefusedSignIns;
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

/** The approval code that the caller reads out to a colleague. @throws AppError FORBIDDEN without a point of the chain. */
export function getApprovalCode({ db, approvalCodes }: ApprovalDependencies, { actor, at }: Caller): ApprovalCode {
	if (!holdsOwnPoint(db, actor.permissions)) throw forbidden(approvalMessages.ownPointNeeded);
	const code = approvalCodes.show({ id: actor.id, approvalsGiven: countApprovals(db, actor.id) }, at);
	return { ...code, wrongCodes: countWrongCodes(db, actor.id, at) };
}

/** The wrong codes that others tried for an approver in the 24 hours before a time. */
function countWrongCodes(db: Db, id: number, at: string): number {
	const about = { action: 'APPROVAL_REFUSED', targetType: 'EMPLOYEE', targetId: id } as const;
	const filter = { ...about, from: addSeconds(at, -daySeconds) };
	return newestRecords(db, filter, 200).reduce((sum, { count }) => sum + count, 0);
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

/** The maximum number of a subject's approvals to search for those that the caller may see. */
const maxSearched = 200;

/** Lists the newest approvals of a subject that the caller may see. @throws AppError NOT_FOUND without any. */
export function listApprovalsOf(db: Db, actor: Actor, subject: string): Approval[] {
	const records = read(db).ofSubject.all({ subject });
	const ids = records.map(({ id }) => id);
	const found = visibleApprovals(db, actor, ids).slice(0, maxListed);
	return orNotFound(found.length > 0 ? found : undefined, approvalMessages.notFound);
}

/** @throws AppError NOT_FOUND, also for an approval that the caller may not see. */
export function getApproval(db: Db, actor: Actor, id: number): Approval {
	return orNotFound(visibleApprovals(db, actor, [id])[0], approvalMessages.notFound);
}

function visibleApprovals(db: Db, actor: Actor, ids: readonly number[]): Approval[] {
	const approvals = listRecords(db, ids)
		.filter(({ action }) => action === 'APPROVAL')
		.map(approvalOf);
	return approvals.filter(({ permission, requestedBy, approvedBy }) => {
		if (isSelf(actor, requestedBy.id) || isSelf(actor, approvedBy.id)) return true;
		const isHeld = holds(actor.permissions, permission as PermissionCode);
		const storeId = read(db).employee.get({ id: requestedBy.id })?.storeId;
		return isHeld && storeId !== undefined && isConcerned(db, actor, storeId);
	});
}

/** Whether the caller is not limited to stores, works in the store, or sees its employees. */
function isConcerned(db: Db, actor: Actor, storeId: number): boolean {
	if (actor.accountType === 'PROGRAM') return !isStoreScoped(actor.permissions) || actor.storeId === storeId;
	return actor.accountType === 'SUPER_ADMIN' || worksInOrReaches(db, actor, { storeId, today: actor.today });
}

/** The maximum number of an approver's approvals to search for the same request: nobody gives more while a code lives. */
const maxRepeated = 100;

/**
 * The approval that the caller got by the same request, while its code lives. The number of later approvals of the
 * approver tells which code made it. Nothing is counted: the caller knows the code.
 */
export function findRepeated(
	{ db, approvalCodes }: ApprovalDependencies,
	{ actor, at }: Caller,
	{ permission, subject, approver, code }: RequestApproval,
): Approval | undefined {
	const id = findAccountsNamed(db, approver.trim()).employee?.id;
	if (id === undefined) return undefined;
	const given = newestRecords(db, { action: 'APPROVAL', targetType: 'EMPLOYEE', targetId: id }, maxRepeated);
	const total = countApprovals(db, id);
	return given.map(approvalOf).find((each, later) => {
		const isSame = each.permission === permission && each.subject === subject && isSelf(actor, each.requestedBy.id);
		return isSame && approvalCodes.matches(code.trim(), { id, approvalsGiven: total - 1 - later }, at);
	});
}

/**
 * Requests the approval of one point and one subject.
 * @throws AppError VALIDATION_ERROR for a code that is not a point of the chain; FORBIDDEN for a wrong code or
 * approver; TOO_MANY_REQUESTS.
 */
export function requestApproval(
	{ db, guard, approvalCodes, refusedSignIns }: ApprovalDependencies,
	caller: Caller,
	{ permission, subject, approver, code }: RequestApproval,
): Approval {
	const point = chainPoints(db).find((each) => each.code === permission);
	if (!point) throw invalidRequest([{ path: 'body.permission', ...approvalMessages.noOwnPoint }]);
	const { actor, address, at } = caller;
	// Trimming is enough: digits need no Unicode composition, which takes long for a long text.
	const [phone, typed] = [approver.trim(), code.trim()];
	const named = findAccountsNamed(db, phone).employee;
	// Counted by number, known or not: the count must not reveal which numbers exist.
	const attemptOf = (key: string) => attemptAt(key, { address }, { kind: 'approval', key });
	const [own, ofApprover] = [attemptOf(`${actor.id} asks`), attemptOf(`asks ${phone}`)];
	const refused = <Refusal>(refusal: Refusal): Refusal => {
		refusedSignIns.addWrongApproval(caller, named && { id: named.id, name: named.name });
		return refusal;
	};
	const attempt = () =>
		transaction(db, () => {
			// An unknown number takes as long as a known one, so the timing reveals nothing.
			const { id } = named ?? actor;
			const account = findAccount(db, { accountType: 'EMPLOYEE', id });
			const isRight = approvalCodes.matches(typed, { id, approvalsGiven: countApprovals(db, id) }, at);
			const mayApprove = account !== undefined && isApprover(db, account, actor);
			if (!isRight || !mayApprove || id === actor.id) return undefined;
			return approve(db, caller, account, { permission: point.code, subject });
		});
	const approval = guard.tryNow([own, ofApprover], attempt, (seconds) => refused(tooManyAttempts(seconds)));
	if (!approval) throw refused(businessError('FORBIDDEN', 'body.code', approvalMessages.wrongCode));
	// A busy till makes mistakes, so its own count is cleared. The approver's count stays: an accomplice could clear it
	// for others.
	guard.succeeded(own);
	return approval;
}

/**
 * Saves the approval, which ends the code. The approver must hold the point, and work in the caller's store or reach it.
 * @throws AppError FORBIDDEN
 */
function approve(
	db: Db,
	caller: Caller,
	approver: Account,
	{ permission, subject }: { permission: PermissionCode; subject: string },
): Approval {
	const { id, name } = approver;
	const { actor } = caller;
	const isReached = actor.accountType === 'EMPLOYEE' && worksInOrReaches(db, approver, actor);
	if (!approver.permissions.has(permission) || !isReached) {
		throw businessError('FORBIDDEN', 'body.permission', approvalMessages.notHeld);
	}
	db.update(employees)
		.set({ approvalsGiven: sql`${employees.approvalsGiven} + 1` })
		.where(eq(employees.id, id))
		.run();
	const changes = factsOf({ permission, subject });
	return approvalOf(getHistoryRecord(db, record(db, caller, { action: 'APPROVAL', target: { id, name }, changes })));
}

function countApprovals(db: Db, id: number): number {
	return read(db).employee.get({ id })?.approvalsGiven ?? 0;
}

function holdsOwnPoint(db: Db, permissions: Permissions): boolean {
	return chainPoints(db).some(({ code }) => permissions.has(code));
}

/** Whether an account can approve at all: it could see its code now. */
function isApprover(db: Db, account: Account, { requirements }: Actor): boolean {
	return isReadyToWork(db, account, requirements) && holdsOwnPoint(db, account.permissions);
}

/** Whether an approver works in the store of the employee who asks, or sees its employees. */
function worksInOrReaches(db: Db, approver: Account, { storeId, today }: { storeId: number; today: string }): boolean {
	if (approver.accountType !== 'EMPLOYEE') return false;
	return approver.storeId === storeId || reachesStore(db, approver, storeId, today);
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
