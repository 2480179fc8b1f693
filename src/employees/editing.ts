/** Changing employees, thousands in one transaction: their rows, their roles and the records in the history. */
import type { Db } from '../database/open.ts';
import { prepared } from '../database/query.ts';
import { recordChange } from '../history/record.ts';
import type { Caller } from '../session/actor.ts';
import { dayOf } from '../vocabulary/day.ts';
import { type Audited, auditedFields, type Hire } from './hiring.ts';
import type { KnownEmployee } from './model.ts';
import { leavingOf } from './service.ts';

/** A change whose phone, store and roles were checked. */
export interface Edit {
	before: KnownEmployee;
	after: Hire;
}

type Values = (string | number | null)[];

// Text instead of Drizzle statements: those are built for each row, which would take half of the time.
const statements = prepared(({ $client }) => ({
	change: $client.prepare<null, Values>(
		'update employees set store_id = ?, name = ?, phone = ?, status = ?, remark = ?, leaves_on = ?, updated_at = ? where id = ?',
	),
	setPhone: $client.prepare<null, Values>('update employees set phone = ? where id = ?'),
	isTaken: $client.prepare<{ id: number }, Values>('select id from employees where phone = ? and deleted_at is null'),
	bind: $client.prepare<null, Values>('insert into employee_roles (employee_id, role_id, bound_at) values (?, ?, ?)'),
	unbind: $client.prepare<null, Values>(
		'update employee_roles set unbound_at = ? where employee_id = ? and role_id = ? and unbound_at is null',
	),
}));

/**
 * Changes employees, inside the caller's transaction. They can exchange their phones.
 * @throws SQLiteError when a phone is taken by somebody else.
 */
export function storeEdits(db: Db, caller: Caller, edits: readonly Edit[], at: string): void {
	const { change, bind, unbind } = statements(db);
	makeWay(db, edits);
	for (const { before, after } of edits) {
		const { storeId, name, phone, status, remark } = after;
		const { leavesOn = null } = leavingOf(before, { status }, dayOf(new Date(at)));
		change.run(storeId, name, phone, status, remark, leavesOn, at, before.id);
		const held = new Set(before.roles.map(({ id }) => id));
		const wanted = new Set(after.roleIds);
		for (const id of held.difference(wanted)) unbind.run(at, before.id, id);
		for (const id of wanted.difference(held)) bind.run(before.id, id, at);
		const roles = [...wanted].toSorted((a, b) => a - b).map((id) => ({ id }));
		const changed = { ...before, ...after, leavesOn, roles };
		recordChange<Audited & { id: number }>(
			db,
			caller,
			'EMPLOYEE_UPDATE',
			{ before, after: changed },
			auditedFields,
			at,
		);
	}
}

/** A phone is unique at every moment: who gives theirs to somebody else has one that nobody has, until they get their new one. */
function makeWay(db: Db, edits: readonly Edit[]): void {
	const { setPhone, isTaken } = statements(db);
	const moves = edits.filter(({ before, after }) => before.phone !== after.phone);
	const wanted = new Set(moves.map(({ after }) => after.phone));
	let free = 19_999_999_999;
	for (const { before } of moves.filter((move) => wanted.has(move.before.phone))) {
		while (wanted.has(String(free)) || isTaken.get(String(free))) free -= 1;
		setPhone.run(String(free), before.id);
	}
}
