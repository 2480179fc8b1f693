/** The programs that call with a key, sign people in, or both. Only people create, change and delete them. */
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { auditedBy, type ChangeContext } from '../../identity/history/record.ts';
import { requireCurrent } from '../../identity/history/versions.ts';
import { readAuthority, rightsOfProgram } from '../../identity/rights/authority.ts';
import { requireNothingMissing } from '../../identity/rights/refusal.ts';
import { endsLater, gained, type Missing, missingFrom, type Rights } from '../../identity/rights/rules.ts';
import type { Caller } from '../../identity/session/actor.ts';
import { inOrder, requireAssignable } from '../../identity/session/granted-permissions.ts';
import { assignableCodes, createKey, hashOfKey } from '../../identity/session/keys.ts';
import type { Db } from '../../platform/database/open.ts';
import { mapUniqueViolation, param, queries, transaction } from '../../platform/database/query.ts';
import { openidGrants, programs, stores } from '../../platform/database/schema.ts';
import { invalidRequest } from '../../platform/http/reply.ts';
import { addSeconds, isOver } from '../../platform/vocabulary/day.ts';
import { businessError, orNotFound } from '../../platform/vocabulary/errors.ts';
import {
	isStoreScoped,
	type PermissionCode,
	withDependencies,
	withheldFromPrograms,
} from '../../platform/vocabulary/permissions.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { storeProblem } from '../stores/service.ts';
import {
	CreateProgram,
	type KeyQuery,
	maxPrograms,
	type Program,
	programMessages,
	type UpdateProgram,
} from './model.ts';

const { previousKeyHash, previousKeyUntil, previousSecretHash, previousSecretUntil, ...others } =
	getTableColumns(programs);
const { deletedAt, keyHash, secretHash, ...columns } = others;
const withStore = { ...columns, storeName: stores.name };
const live = isNull(deletedAt);
const ofStore = eq(stores.id, programs.storeId);

const read = queries(({ select }) => ({
	all: select(withStore).from(programs).leftJoin(stores, ofStore).where(live).orderBy(programs.id),
	byId: select(withStore)
		.from(programs)
		.leftJoin(stores, ofStore)
		.where(and(live, eq(programs.id, param('id')))),
}));

/** Lists every program by id, expired ones included and deleted ones not. */
export function listPrograms(db: Db): Program[] {
	return Array.from(read(db).all.all(), (row) => programOf(db, row));
}

/** @throws AppError NOT_FOUND */
export function getProgram(db: Db, id: number): Program {
	return programOf(db, orNotFound(read(db).byId.get({ id }), programMessages.notFound));
}

/** A stored program with the codes that it can still hold. */
function programOf(db: Db, stored: Program): Program {
	return { ...stored, permissions: assignableCodes(db, stored.permissions) };
}

/** Whether people sign in through a program that can keep a secret. */
function hasSecret({ redirectUris, isPublic }: Pick<Program, 'redirectUris' | 'isPublic'>): boolean {
	return redirectUris.length > 0 && !isPublic;
}

/** The fields of a new program that a request leaves out. */
const newProgram = {
	storeId: null,
	endsOn: null,
	redirectUris: [],
	signOutUris: [],
	isPublic: false,
	signInPermission: null,
} satisfies Partial<Fields>;

/**
 * Creates a program, with its first key if it has permissions, and its client secret if it keeps one.
 * @throws AppError VALIDATION_ERROR; FORBIDDEN for codes, a store or a last day beyond the caller's own; BAD_REQUEST;
 * CONFLICT.
 */
export function createProgram(db: Db, caller: Caller, { permissions, ...input }: CreateProgram) {
	return transaction(db, () => {
		requireKnown(db, input.signInPermission);
		const requested: Fields = { ...newProgram, ...input, permissions: programCodesFrom(db, permissions) };
		requireGivable(db, caller, requested);
		requirePossible(db, caller, requested);
		if (read(db).all.all().length >= maxPrograms)
			throw businessError('BAD_REQUEST', 'body', programMessages.limitReached);
		const key = requested.permissions.length > 0 ? createKey('access') : undefined;
		const clientSecret = hasSecret(requested) ? createKey('secret') : undefined;
		const hashes = { keyHash: key && hashOfKey(key), secretHash: clientSecret && hashOfKey(clientSecret) };
		const values = { ...requested, ...hashes, createdAt: caller.at, updatedAt: caller.at };
		const insert = () => db.insert(programs).values(values).returning({ id: programs.id }).get();
		const { id } = mapUniqueViolation(insert, taken);
		const after = getProgram(db, id);
		recordChange(db, caller, 'PROGRAM_CREATE', { after });
		return { ...after, ...(key && { key }), ...(clientSecret && { clientSecret }) };
	});
}

/** Updates a program. @throws AppError as {@link createProgram}; NOT_FOUND; PRECONDITION_FAILED. */
export function updateProgram(db: Db, caller: Caller, id: number, { permissions, ...input }: UpdateProgram): Program {
	return transaction(db, () => {
		requireKnown(db, input.signInPermission);
		const codes = permissions && programCodesFrom(db, permissions);
		const before = getProgram(db, id);
		const requested = { ...before, ...input, permissions: codes ?? before.permissions };
		requireGivable(db, caller, requested, { before });
		requireCurrent(db, caller, before, programVersion);
		requirePossible(db, caller, requested, before);
		if (hasSameFields(before, requested)) return before;
		// A program that signs nobody in has no grants when it signs people in again. Earlier versions left it some.
		const isWithout = [before, requested].some(({ redirectUris }) => redirectUris.length === 0);
		if (isWithout) db.delete(openidGrants).where(eq(openidGrants.programId, id)).run();
		return mapUniqueViolation(() => saveUpdate(db, caller, before, requested), taken);
	});
}

/** Saves and records an update, inside the caller's transaction. It ends a key or client secret without further use. */
function saveUpdate(db: Db, context: ChangeContext, before: Program, after: Program): Program {
	const ended = { ...(after.permissions.length === 0 && noKey), ...(!hasSecret(after) && noSecret) };
	return saveChange(db, context, 'PROGRAM_UPDATE', before, { ...after, ...ended });
}

const noKey = { keyHash: null, previousKeyHash: null, previousKeyUntil: null };
const noSecret = { secretHash: null, previousSecretHash: null, previousSecretUntil: null };

/** The end of a replaced key or client secret: in an hour, or null to end it at once. */
const endOfPrevious = ({ at }: Caller, query: KeyQuery) => (query.at === 'once' ? null : addSeconds(at, 60 * 60));

/**
 * Issues a new key. The previous key works for another hour, unless the query ends it at once; older keys end.
 * @throws AppError NOT_FOUND; FORBIDDEN for a program beyond the caller's own rights; PRECONDITION_FAILED; BAD_REQUEST for a
 * program without permissions.
 */
export function renewKey(db: Db, caller: Caller, id: number, query: KeyQuery) {
	const key = createKey('access');
	return transaction(db, () => {
		const before = getProgram(db, id);
		// A new key gives its owner all rights of the program.
		requireGivable(db, caller, before, { path: 'params.id' });
		requireCurrent(db, caller, before, programVersion);
		if (before.permissions.length === 0) throw businessError('BAD_REQUEST', 'params.id', programMessages.needsNoKey);
		// An ended key stays known: its refusal says that it was replaced.
		const previous = { previousKeyHash: sql`${keyHash}`, previousKeyUntil: endOfPrevious(caller, query) };
		return { ...saveChange(db, caller, 'PROGRAM_KEY', before, { keyHash: hashOfKey(key), ...previous }), key };
	});
}

/**
 * Issues a new client secret. The previous one works for another hour, unless the query ends it at once.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for a program without one.
 */
export function renewSecret(db: Db, caller: Caller, id: number, query: KeyQuery) {
	const clientSecret = createKey('secret');
	return transaction(db, () => {
		const before = requireCurrent(db, caller, getProgram(db, id), programVersion);
		if (!hasSecret(before)) throw businessError('BAD_REQUEST', 'params.id', programMessages.needsNoSecret);
		const previous = { previousSecretHash: sql`${secretHash}`, previousSecretUntil: endOfPrevious(caller, query) };
		const values = { secretHash: hashOfKey(clientSecret), ...previous };
		return { ...saveChange(db, caller, 'PROGRAM_SECRET', before, values), clientSecret };
	});
}

/** Deletes a program and its keys; the caller need not hold its codes. @throws AppError NOT_FOUND; PRECONDITION_FAILED. */
export function deleteProgram(db: Db, caller: Caller, id: number): void {
	transaction(db, () => {
		const before = requireCurrent(db, caller, getProgram(db, id), programVersion);
		const values = { ...noKey, ...noSecret, deletedAt: caller.at, updatedAt: caller.at };
		db.update(programs).set(values).where(eq(programs.id, id)).run();
		recordChange(db, caller, 'PROGRAM_DELETE', { before });
	});
}

/** Replaces a code in every program that holds it or asks for it, or revokes it, inside the caller's transaction. */
export function replaceInPrograms(db: Db, context: ChangeContext, from: PermissionCode, to?: PermissionCode): void {
	const replaced = (code: PermissionCode | null) => (code === from ? (to ?? null) : code);
	for (const before of listPrograms(db)) {
		if (!before.permissions.includes(from) && before.signInPermission !== from) continue;
		const permissions = before.permissions.flatMap((code) => replaced(code) ?? []);
		saveUpdate(db, context, before, { ...before, permissions, signInPermission: replaced(before.signInPermission) });
	}
}

/** Saves and records a change, inside the caller's transaction. @returns the program after the change. */
function saveChange(
	db: Db,
	context: ChangeContext,
	action: 'PROGRAM_UPDATE' | 'PROGRAM_KEY' | 'PROGRAM_SECRET',
	before: Program,
	values: SQLiteUpdateSetSource<typeof programs>,
): Program {
	const changed = { ...values, updatedAt: context.at };
	db.update(programs).set(changed).where(eq(programs.id, before.id)).run();
	const after = getProgram(db, before.id);
	recordChange(db, context, action, { before, after });
	return after;
}

/** The submitted codes and those that they need. @throws AppError VALIDATION_ERROR for a code that no program can hold. */
function programCodesFrom(db: Db, submitted: readonly PermissionCode[]): PermissionCode[] {
	requireAssignable(db, submitted);
	const wrong = submitted.flatMap((code, index) =>
		withheldFromPrograms.has(code) ? [{ path: `body.permissions.${index}`, ...programMessages.withheld }] : [],
	);
	if (wrong.length > 0) throw invalidRequest(wrong);
	return inOrder(db, new Set(withDependencies(submitted)));
}

/** @throws AppError VALIDATION_ERROR for an unknown permission. */
function requireKnown(db: Db, signInPermission: PermissionCode | null = null): void {
	if (signInPermission !== null) requireAssignable(db, [signInPermission], () => 'body.signInPermission');
}

type Fields = Pick<Program, keyof CreateProgram>;

type Scope = Pick<Program, 'permissions' | 'storeId' | 'endsOn'>;

/**
 * The caller must have for good what a program gains, and reach its store for good if it gains anything.
 * @throws AppError FORBIDDEN
 */
function requireGivable(
	db: Db,
	{ actor }: Caller,
	after: Scope,
	{ before, path }: { before?: Scope; path?: string } = {},
): void {
	const rights = rightsGained(after, before);
	if (!rights) return;
	const authority = readAuthority(db, actor);
	const missing = missingFrom(authority.forGood, rights);
	requireNothingMissing(authority, missing, { request: 'program', path: path ?? causeOf(missing, after, before) });
}

/** The field of a request by which a program gains a missing right. */
function causeOf(missing: Missing, after: Scope, before: Scope | undefined): string {
	if (before && endsLater(after.endsOn, before.endsOn)) return 'body.endsOn';
	const hasNewCode = after.permissions.some((code) => !before?.permissions.includes(code));
	const isByStore = after.storeId !== before?.storeId && (missing.permissions.length === 0 || !hasNewCode);
	return isByStore ? 'body.storeId' : 'body.permissions';
}

/**
 * The program permissions that a program gains, and its store; undefined if it gains nothing. With a later last day it
 * gains everything, and so does a program of one store that reaches other people: it takes all its permissions there.
 */
function rightsGained(after: Scope, before: Scope | undefined): Rights | undefined {
	const all = rightsOfProgram(after);
	if (!before) return all;
	const { permissions, stores } = gained(rightsOfProgram(before), all);
	if (permissions.size + stores.size === 0) return undefined;
	const reachesOthers = stores.size > 0 || permissions.has('employee:view:all');
	return before.storeId !== null && reachesOthers ? all : { ...all, permissions };
}

/**
 * The program must have a purpose, the store must exist and fit the codes, and the last day must be today or later, at
 * most a year ahead.
 * @throws AppError BAD_REQUEST
 */
function requirePossible(db: Db, caller: Caller, requested: Fields, before?: Program): void {
	const { permissions, storeId, endsOn, redirectUris } = requested;
	const refuse = (path: string, reason: Reason) => businessError('BAD_REQUEST', path, reason);
	const isClient = redirectUris.length > 0;
	if (permissions.length === 0 && !isClient) throw refuse('body.permissions', programMessages.needsPurpose);
	const needsStore = isStoreScoped(new Set(permissions));
	if (needsStore && storeId === null) throw refuse('body.storeId', programMessages.needsStore);
	if (!needsStore && storeId !== null) throw refuse('body.storeId', programMessages.takesNoStore);
	const isOther = storeId !== null && storeId !== before?.storeId;
	if (isOther && storeProblem(db, storeId) === 'store_not_found')
		throw refuse('body.storeId', programMessages.badStore);
	if (endsOn === null && permissions.length > 0) throw refuse('body.endsOn', programMessages.needsDay);
	if (endsOn === null || endsOn === before?.endsOn) return;
	if (isOver(endsOn, caller.actor.today)) throw refuse('body.endsOn', programMessages.over);
	if (endsOn > oneYearAfter(caller.actor.today)) throw refuse('body.endsOn', programMessages.tooFar);
}

/** The same day of the next year, as text. For 29 February it precedes 1 March, so 28 February is the last day allowed. */
function oneYearAfter(day: string): string {
	return `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
}

/** The recorded fields. No key and no secret is among them. */
const { versionOf, hasSameFields, recordChange } = auditedBy('PROGRAM', CreateProgram, 'name');

/** The version of a program. It does not include the keys. */
export const programVersion = versionOf;

const taken = { 'programs.name': () => businessError('CONFLICT', 'body.name', programMessages.nameTaken) };
