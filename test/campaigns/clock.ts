/** A clock that jumps ahead and goes back: it may not break the program. */
import { Server, startProgram } from '../server.ts';
import { adminPassword, expectStatus, initialPassword, newName, newPhone } from '../world.ts';
import { type Campaign, counted, type Figures, NotPossibleHere } from './campaign.ts';

interface Scale {
	/** How many stores and employees are written at each time of day. */
	writes: number;
}

const hour = 3_600_000;
const steps = [-1, 3, 0, -25, 48, 0];

export const clock: Campaign<Scale> = {
	name: 'clock',
	claim: 'setting the clock breaks neither writes nor ids nor order',
	short: { writes: 3 },
	full: { writes: 100 },
	run: (scale, report) => restarts(fakeClockLibrary(), scale, report),
};

/** The library that fakes the clock of a program. */
function fakeClockLibrary(): string {
	if (Bun.which('faketime') === null) throw new NotPossibleHere('there is no faketime');
	return Bun.spawnSync(['faketime', '-m', '-f', '+0s', 'printenv', 'LD_PRELOAD']).stdout.toString().trim();
}

/** Starts the program again and again with a clock that is set, and writes each time. */
async function restarts(preload: string, scale: Scale, report: (step: string) => void): Promise<Figures> {
	return Server.with(async (server) => {
		const real = server.sign('SUPER_ADMIN:1', 1);
		const latest: Latest = { stores: 0, employees: 0 };
		for (const hours of steps) {
			await server.program.end();
			server.program = await startProgram(server.folder, {
				LD_PRELOAD: preload,
				FAKETIME: offset(hours),
				// Timers still run: only the time of day is another.
				DONT_FAKE_MONOTONIC: '1',
			});
			await expectClock(server, hours);
			const { status } = await server.send('GET', '/api/auth/me', { token: real });
			// The token was signed by the real clock, so the program's clock decides whether it has expired.
			const wanted = hours < 2 ? 200 : 401;
			if (status !== wanted) throw new Error(`a token of now, at ${hours} h: ${status}, not ${wanted}`);
			await writeAt(server, scale.writes, latest);
			report(`clock at ${offset(hours)}: ${counted(scale.writes)} stores and employees`);
		}
		await expectOrder(server);
		return {
			'clock set to': steps.map(offset).join(', '),
			'written with the clock set': counted(steps.length * scale.writes * 2),
		};
	});
}

/** As faketime takes it, and as people read it. */
const offset = (hours: number) => `${hours < 0 ? '' : '+'}${hours}h`;

/** Checks that the program sees the fake clock. */
async function expectClock(server: Server, hours: number): Promise<void> {
	const { now } = expectStatus(await server.send('GET', '/health'), 200);
	const off = Date.parse(now) - (Date.now() + hours * hour);
	if (Math.abs(off) > 60_000) throw new Error(`the program’s clock must be ${hours} h off, but is ${now}`);
}

/** The newest id of each table. */
type Latest = Record<'stores' | 'employees', number>;

/** Signs in and writes stores and employees; ids go on above the latest. */
async function writeAt(server: Server, writes: number, latest: Latest): Promise<void> {
	const token = await server.program.signIn('admin', adminPassword);
	const create = async (table: keyof Latest, body: Record<string, unknown>): Promise<number> => {
		const { id } = expectStatus(await server.send('POST', `/api/${table}`, { token, body }), 201);
		if (id <= latest[table]) throw new Error(`id ${id} of ${table} came after ${latest[table]}`);
		latest[table] = id;
		return id;
	};
	for (let written = 0; written < writes; written += 1) {
		const name = newName('店');
		const phone = newPhone();
		const storeId = await create('stores', { name });
		const path = `/api/employees/${await create('employees', { storeId, name, phone })}`;
		expectStatus(await server.send('PATCH', path, { token, body: { remark: 'changed' } }), 200);
		if (written === 0) {
			const body = { username: phone, password: initialPassword };
			expectStatus(await server.send('POST', '/api/auth/employee/login', { body }), 200);
		}
		if (written % 5 === 4) expectStatus(await server.send('DELETE', path, { token }), 204);
	}
}

/** Lists are ordered by id and whole, whatever time was written into their rows. */
async function expectOrder(server: Server): Promise<void> {
	const token = server.superToken;
	for (const list of ['stores', 'employees']) {
		const wanted = server.rows(`select id from ${list} where deleted_at is null order by id`).map(({ id }) => id);
		const found: number[] = [];
		for (let page = 1; found.length < wanted.length; page += 1) {
			const path = `/api/${list}?page=${page}&pageSize=100`;
			const { items } = expectStatus(await server.send('GET', path, { token }), 200);
			if (items.length === 0) break;
			found.push(...items.map(({ id }: { id: number }) => id));
		}
		if (found.join() !== wanted.join()) throw new Error(`the list of ${list} is ${found.join()}, not ${wanted.join()}`);
	}
}
