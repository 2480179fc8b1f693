/** How refused sign-ins are grouped in the history. */
import { beforeEach, expect, test } from 'bun:test';
import { anonymous, createRefusedSignIns, type RefusedSignIns } from '../src/auth/refused-sign-ins.ts';
import type { Db } from '../src/database/open.ts';
import { openDatabase } from '../src/database/open.ts';
import type { RecordedActor } from '../src/history/record.ts';

const at = '2026-11-21T08:30:00.000Z';
const administrator: RecordedActor = { accountType: 'SUPER_ADMIN', id: 1, name: 'admin' };
const employee = (id: number): RecordedActor => ({ accountType: 'EMPLOYEE', id, name: `员工${id}` });

let db: Db;
let refused: RefusedSignIns;
let time: number;
beforeEach(() => {
	db = openDatabase(':memory:');
	time = 0;
	refused = createRefusedSignIns(db, () => time);
});

function refuse(actor: RecordedActor, address: string, count = 1): void {
	for (let times = 0; times < count; times += 1) {
		refused.add({ actor, address, requestId: 'request' }, 'WRONG_PASSWORD', at);
	}
}

function recorded() {
	refused.flush(at, { now: true });
	return db.$client
		.query<{ type: string; id: number | null; address: string | null; reason: string; count: number }, []>(
			'select actor_type as type, actor_id as id, address, reason, count from history order by id',
		)
		.all();
}

test('an attack on the administrator is recorded as such while 300 other accounts are attacked', () => {
	for (let id = 1; id <= 400; id += 1) refuse(employee(id), '192.0.2.1');
	refuse(administrator, '192.0.2.1', 7);
	refuse(administrator, '192.0.2.2', 5);
	const rows = recorded();
	expect(rows.filter(({ type }) => type === 'SUPER_ADMIN')).toEqual([
		{ type: 'SUPER_ADMIN', id: 1, address: '192.0.2.1', reason: 'WRONG_PASSWORD', count: 7 },
		{ type: 'SUPER_ADMIN', id: 1, address: '192.0.2.2', reason: 'WRONG_PASSWORD', count: 5 },
	]);
	expect(rows.filter(({ reason }) => reason === 'VARIOUS')).toMatchObject([{ type: 'ANONYMOUS', count: 100 }]);
});

test('the administrator attacked from 150 places is recorded with 100 of them, and the rest together', () => {
	for (let place = 0; place < 150; place += 1) refuse(administrator, `192.0.2.${place}`, 2);
	const rows = recorded();
	expect(rows).toHaveLength(101);
	expect(rows.find(({ address }) => address === null)).toMatchObject({ type: 'SUPER_ADMIN', id: 1, count: 100 });
});

test('a group is recorded at its first refusal, and its count after ten minutes', () => {
	const counts = () => db.$client.query<{ count: number }, []>('select count from history order by id').all();
	refuse(employee(1), '192.0.2.1');
	refused.flush(at);
	refuse(employee(1), '192.0.2.1', 9);
	refused.flush(at);
	expect(counts()).toEqual([{ count: 1 }]);
	time = 10 * 60_000;
	refused.flush(at);
	expect(counts()).toEqual([{ count: 1 }, { count: 9 }]);
	refuse(employee(1), '192.0.2.1');
	refused.flush(at);
	expect(counts()).toEqual([{ count: 1 }, { count: 9 }, { count: 1 }]);
});

test('unknown names are grouped by place, and beyond 100 places together', () => {
	for (let place = 0; place < 130; place += 1) refuse(anonymous, `2001:db8:0:${place.toString(16)}::1`);
	const rows = recorded();
	expect(rows).toHaveLength(101);
	expect(rows.at(-1)).toMatchObject({ reason: 'VARIOUS', count: 30 });
});
