/** Giving employees one-time passwords in place of those that they have. */
import type { OneTimePasswords } from '../auth/one-time-password.ts';
import type { Db } from '../database/open.ts';
import { largeTransaction, prepared, transaction } from '../database/query.ts';
import { recordChange } from '../history/record.ts';
import type { Caller } from '../session/actor.ts';
import { AppError, type ErrorCode, type ErrorDetail } from '../vocabulary/errors.ts';
import { auditedFields } from './hiring.ts';
import { type Employee, employeeMessages, type GivenPassword, type OneTimePassword } from './model.ts';
import { findManageable } from './reach.ts';
import { toEmployee } from './read.ts';
import { findExpected } from './service.ts';

interface Dependencies {
	db: Db;
	oneTime: OneTimePasswords;
}

// Text instead of a Drizzle statement: it runs for thousands in a transaction, and Drizzle would build each.
const update = prepared(({ $client }) =>
	$client.prepare<null, [hash: string, expiresAt: string, changedAt: string | null, at: string, id: number]>(
		`update employees set password_hash = ?, password_is_initial = 0, password_expires_at = ?, password_changed_at = ?,
			updated_at = ?, token_version = token_version + 1
		where id = ?`,
	),
);

/**
 * Gives an employee a one-time password, and ends their tokens.
 * @throws AppError NOT_FOUND; FORBIDDEN for an employee out of the actor's reach; PRECONDITION_FAILED.
 */
export function giveOneTimePassword(
	{ db, oneTime }: Dependencies,
	caller: Caller,
	id: number,
	at: string,
): OneTimePassword {
	return transaction(db, () => {
		const employee = findExpected(db, caller, id, at);
		const { password, expiresAt } = give({ db, oneTime }, caller, employee, at);
		return { password, expiresAt };
	});
}

/**
 * Gives several employees one-time passwords: all of them or none.
 * @returns the passwords in the order of the ids; an id that is given twice is one person.
 * @throws AppError FORBIDDEN or NOT_FOUND, which name the place of each id at fault.
 */
export function giveOneTimePasswords(
	{ db, oneTime }: Dependencies,
	caller: Caller,
	ids: readonly number[],
	at: string,
): GivenPassword[] {
	return largeTransaction(db, () => {
		const people = findAllManageable(db, caller, ids);
		return people.map((employee) => give({ db, oneTime }, caller, employee, at));
	});
}

/** The first password of somebody who was just added, inside the caller's transaction. */
export function startWithOneTimePassword({ db, oneTime }: Dependencies, id: number, at: string): OneTimePassword {
	const { password, hash, expiresAt } = oneTime.make(id, at);
	update(db).run(hash, expiresAt, null, at, id);
	return { password, expiresAt };
}

function give({ db, oneTime }: Dependencies, caller: Caller, employee: Employee, at: string): GivenPassword {
	const { id, name, phone, storeName } = employee;
	const { password, hash, expiresAt } = oneTime.make(id, at);
	update(db).run(hash, expiresAt, at, at, id);
	const unchanged = { before: employee, after: employee };
	recordChange(db, caller, 'EMPLOYEE_ONE_TIME_PASSWORD', unchanged, auditedFields, at);
	return { id, name, phone, storeName, password, expiresAt };
}

/** How many places a refusal names. */
const maxDetails = 20;

function findAllManageable(db: Db, { actor }: Caller, ids: readonly number[]): Employee[] {
	const people = new Map<number, Employee>();
	const refusals: { code: ErrorCode; detail: ErrorDetail }[] = [];
	for (const [index, id] of ids.entries()) {
		if (people.has(id)) continue;
		try {
			people.set(id, toEmployee(db, findManageable(db, actor, id)));
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			refusals.push({ code: error.code, detail: { path: `body.ids.${index}`, message: error.message } });
		}
	}
	// What is forbidden is said before what is missing.
	const { code } = refusals.find((each) => each.code === 'FORBIDDEN') ?? refusals[0] ?? {};
	if (code === undefined) return Array.from(people.values());
	const details = refusals.slice(0, maxDetails).map(({ detail }) => detail);
	throw new AppError(code, employeeMessages.noneGiven(refusals.length), { details });
}
