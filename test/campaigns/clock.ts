/** A clock that stands still, jumps two hours ahead, and goes back: none of it may break the program. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, startProgram } from '../server.ts';
import { adminPassword, expectStatus, initialPassword, newName, newPhone } from '../world.ts';
import { type Campaign, counted, type Figures, NotPossibleHere } from './campaign.ts';

interface Scale {
	/** How many stores and employees are written at each time of day. */
	writes: number;
	/** How many tokens are taken to their last second. */
	endings: number;
}

const hour = 3_600_000;
const steps = [-1, 3, 0, -25, 48, 0];
const doors = ['/api/auth/login', '/api/auth/admin/login'];

export const clock: Campaign<Scale> = {
	name: 'clock',
	claim: 'a token works for two hours to the second, and setting the clock breaks neither writes nor ids nor order',
	short: { writes: 3, endings: 1 },
	full: { writes: 100, endings: 20 },
	async run(scale, report) {
		const preload = fakeClockLibrary();
		const ended = await endings(preload, scale);
		report(`${ended} tokens ended after two hours`);
		return { 'tokens that lived 7,199 s and not 7,200 s': ended, ...(await restarts(preload, scale, report)) };
	},
};

/** The library that fakes the clock of a program. */
function fakeClockLibrary(): string {
	if (Bun.which('faketime') === null) throw new NotPossibleHere('there is no faketime');
	return Bun.spawnSync(['faketime', '-m', '-f', '+0s', 'printenv', 'LD_PRELOAD']).stdout.toString().trim();
}

/** A clock that stands still until it is set. */
class StandingClock {
	readonly #file: string;
	#time = 0;

	constructor(file: string, time: number) {
		this.#file = file;
		this.set(time);
	}

	get time(): number {
		return this.#time;
	}

	set(time: number): void {
		this.#time = time;
		// The program reads the file whenever it looks at the clock, so it must be whole at all times.
		writeFileSync(`${this.#file}.new`, new Date(time).toISOString().replace('T', ' ').slice(0, 19));
		renameSync(`${this.#file}.new`, this.#file);
	}
}

/** Signs in, then sets the clock to the token's last second, to its end, and back. */
async function endings(preload: string, { endings }: Scale): Promise<number> {
	const server = await Server.start();
	const standing = new StandingClock(join(server.folder, 'clock'), Date.parse('2026-11-21T12:00:00Z'));
	await server.program.end();
	server.program = await startProgram(server.folder, {
		LD_PRELOAD: preload,
		FAKETIME_TIMESTAMP_FILE: join(server.folder, 'clock'),
		FAKETIME_NO_CACHE: '1',
		// Timers still run: only the time of day stands still.
		DONT_FAKE_MONOTONIC: '1',
		TZ: 'UTC',
	});
	try {
		for (let round = 0; round < endings; round += 1) {
			const { token, expiresIn } = await signIn(server, doors[round % doors.length] ?? '', 'admin', adminPassword);
			if (expiresIn !== '2h') throw new Error(`expiresIn is ${expiresIn}`);
			const start = standing.time;
			for (const [seconds, wanted] of lifetime) {
				standing.set(start + seconds * 1000);
				const { status, text } = await server.send('GET', '/api/auth/me', { token });
				if (status !== wanted) throw new Error(`${seconds} s after the sign-in: ${status}, not ${wanted}: ${text}`);
			}
		}
	} finally {
		await server.program.end('SIGKILL');
	}
	return endings;
}

/** The status a token gets so many seconds after its sign-in: only the present time counts, also when it was set back. */
const lifetime: readonly (readonly [seconds: number, status: number])[] = [
	[0, 200],
	[3600, 200],
	[7199, 200],
	[7200, 401],
	[7201, 401],
	[7199, 200],
	[-3600, 200],
	[86_400, 401],
	[1, 200],
	[14_400, 401],
];

async function signIn(server: Server, door: string, username: string, password: string) {
	return expectStatus(await server.send('POST', door, { body: { username, password } }), 200);
}

/** Starts the program again and again with a clock that is set, and writes each time. */
async function restarts(preload: string, scale: Scale, report: (step: string) => void): Promise<Figures> {
	const server = await Server.start();
	try {
		const real = server.sign('SUPER_ADMIN:1', 1);
		const latest: Latest = { stores: 0, employees: 0 };
		for (const hours of steps) {
			await server.program.end();
			server.program = await startProgram(server.folder, {
				LD_PRELOAD: preload,
				FAKETIME: offset(hours),
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
	} finally {
		await server.program.end('SIGKILL');
	}
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
	const { token } = await signIn(server, '/api/auth/login', 'admin', adminPassword);
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
		if (written === 0) await signIn(server, '/api/auth/employee/login', phone, initialPassword);
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
