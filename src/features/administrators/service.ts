/** The super administrators. Each is an account of its own; the first start creates the first one. */
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { auditedBy, type ChangeContext, operator } from '../../identity/history/record.ts';
import { removeSecondFactor } from '../../identity/second-factor/service.ts';
import { type Caller, type Person, personOf } from '../../identity/session/actor.ts';
import { removeSignIns } from '../../identity/session/sign-ins.ts';
import type { Db } from '../../platform/database/open.ts';
import { mapUniqueViolation, queries, transaction } from '../../platform/database/query.ts';
import { administrators, secondFactors, signIns } from '../../platform/database/schema.ts';
import { parseUsername } from '../../platform/vocabulary/accounts.ts';
import { businessError, OperationError, orNotFound } from '../../platform/vocabulary/errors.ts';
import type { HistoryAction } from '../../platform/vocabulary/history.ts';
import { isOneTime, type OneTimePasswords } from '../auth/one-time-password.ts';
import {
	type Administrator,
	administratorMessages,
	CreateAdministrator,
	maxAdministrators,
	type NewAdministrator,
} from './model.ts';

const read = queries(({ select }) => {
	const { id, username, createdAt, passwordHash } = administrators;
	const secondFactor = and(eq(secondFactors.accountType, 'SUPER_ADMIN'), eq(secondFactors.accountId, id));
	return {
		all: select({
			id,
			username,
			createdAt,
			lastSignInAt: sql<string | null>`(
				select max(${signIns.at}) from ${signIns}
				where ${signIns.accountType} = 'SUPER_ADMIN' and ${signIns.accountId} = ${id}
			)`,
			hasSecondFactor: isNotNull(secondFactors.enabledAt).mapWith(Boolean),
		})
			.from(administrators)
			.leftJoin(secondFactors, secondFactor)
			.orderBy(id),
		passwords: select({ username, passwordHash }).from(administrators).orderBy(id),
	};
});

/** Lists the super administrators by id. */
export function listAdministrators(db: Db): Administrator[] {
	return read(db).all.all();
}

/** Finds the first super administrator who has this password as their own, not a one-time one. @returns the username */
export async function findAdministratorWith(db: Db, password: string): Promise<string | undefined> {
	const known = read(db).passwords.all();
	const own = known.filter(({ passwordHash }) => !isOneTime(passwordHash));
	const matches = await Promise.all(own.map(({ passwordHash }) => Bun.password.verify(password, passwordHash)));
	return own.find((_, index) => matches[index])?.username;
}

/** Adds the first super administrator unless there is one. */
export function seedAdministrator(db: Db, context: ChangeContext, account: NewAccount): void {
	transaction(db, () => {
		if (listAdministrators(db).length === 0) insert(db, context, account);
	});
}

/**
 * Creates a super administrator with a one-time password.
 * @throws AppError BAD_REQUEST for a phone as the username, and beyond the limit; CONFLICT.
 */
export function createAdministrator(
	db: Db,
	context: ChangeContext,
	oneTime: OneTimePasswords,
	{ username }: CreateAdministrator,
): NewAdministrator {
	if (parseUsername(username) === undefined)
		throw businessError('BAD_REQUEST', 'body.username', administratorMessages.isPhone);
	return transaction(db, () => {
		if (listAdministrators(db).length >= maxAdministrators)
			throw businessError('BAD_REQUEST', 'body', administratorMessages.limitReached);
		// Replaced at once, because a one-time password is made for an id.
		const id = insert(db, context, { username, passwordHash: '' });
		const { password, expiresAt, passwordHash } = oneTime.make({ accountType: 'SUPER_ADMIN', id }, context.at);
		const values = { passwordHash, passwordExpiresAt: expiresAt };
		db.update(administrators).set(values).where(eq(administrators.id, id)).run();
		return { ...getAdministrator(db, id), password, expiresAt };
	});
}

type NewAccount = Pick<typeof administrators.$inferInsert, 'username' | 'passwordHash'>;

function insert(db: Db, context: ChangeContext, account: NewAccount): number {
	const row = { ...account, createdAt: context.at, updatedAt: context.at };
	const add = () => db.insert(administrators).values(row).returning({ id: administrators.id }).get();
	const taken = () => businessError('CONFLICT', 'body.username', administratorMessages.usernameTaken);
	const { id } = mapUniqueViolation(add, { 'administrators.username': taken });
	recordChange(db, context, 'ADMINISTRATOR_CREATE', { after: getAdministrator(db, id) });
	return id;
}

/**
 * Deletes a super administrator, which ends their tokens. The history keeps their name, and no other account gets their
 * id. The caller is read again, so that two cannot delete each other.
 * @throws AppError FORBIDDEN for the caller's own account; NOT_FOUND; UNAUTHORIZED.
 */
export function deleteOtherAdministrator(db: Db, caller: Caller<Person>, id: number): void {
	transaction(db, () => {
		const actor = personOf(db, caller.actor, caller.at);
		if (actor.id === id) throw businessError('FORBIDDEN', 'params.id', administratorMessages.ownAccount);
		deleteAdministrator(db, caller, getAdministrator(db, id));
	});
}

/**
 * Deletes a super administrator, inside the caller's transaction, but not the last one, which only an operator can try.
 * @throws OperationError
 */
export function deleteAdministrator(db: Db, context: ChangeContext, before: Administrator): void {
	if (listAdministrators(db).length === 1) {
		const remedy = 'add another one first, with access admin add NAME';
		throw new OperationError(`${before.username} is the only administrator: ${remedy}`);
	}
	const account = { accountType: 'SUPER_ADMIN', id: before.id } as const;
	removeSecondFactor(db, account);
	removeSignIns(db, account);
	db.delete(administrators).where(eq(administrators.id, before.id)).run();
	recordChange(db, context, 'ADMINISTRATOR_DELETE', { before });
}

/** @throws AppError NOT_FOUND */
function getAdministrator(db: Db, id: number): Administrator {
	const found = listAdministrators(db).find((each) => each.id === id);
	return orNotFound(found, administratorMessages.notFound);
}

/** The administrator that an operator names, or the only one. @throws OperationError */
export function chooseAdministrator(db: Db, username: string | undefined): Administrator {
	const all = listAdministrators(db);
	const [first, ...others] = username === undefined ? all : all.filter((each) => each.username === username);
	const names = all.map((each) => each.username).join(', ');
	if (all.length === 0) throw new OperationError('there is no administrator yet: start the server once');
	if (first === undefined)
		throw new OperationError(`there is no administrator ${username}: name one of these: ${names}`);
	if (others.length > 0)
		throw new OperationError(`there are several administrators: name one with --username: ${names}`);
	return first;
}

/**
 * Changes a super administrator, by default the only one, and records it for an operator. @returns the
 * administrator before the change. @throws OperationError
 */
export function changeAdministrator(
	db: Db,
	user: string,
	action: HistoryAction,
	username: string | undefined,
	apply: (administrator: Administrator, at: string) => void,
): Administrator {
	const at = new Date().toISOString();
	return transaction(db, () => {
		const before = chooseAdministrator(db, username);
		apply(before, at);
		recordChange(db, operator(user, at), action, { before, after: getAdministrator(db, before.id) });
		return before;
	});
}

const { recordChange } = auditedBy('ADMINISTRATOR', CreateAdministrator, 'username');
