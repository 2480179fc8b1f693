/**
 * A program keeps a copy of all employees from the feed, as on the integrators' page. Clients change everything, and both
 * the program and the service are killed at any moment.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeExample } from '../example-programs.ts';
import type { Body } from '../http.ts';
import { freePort, newFolder, spawn } from '../program.ts';
import { Server, withDatabase } from '../server.ts';
import { expectStatus } from '../world.ts';
import type { Campaign, Figures, Tools } from './campaign.ts';
import { Changer } from './changer.ts';

interface Scale {
	/** The installations, and the changes in each. */
	runs: number;
	changes: number;
	/** The number of kills of the program or the service in each. */
	kills: number;
}

export const sync: Campaign<Scale> = {
	name: 'sync',
	claim:
		'a copy that follows the feed is equal in the end, whatever changes, however often it or the service is killed',
	short: { runs: 1, changes: 60, kills: 2 },
	full: { runs: 20, changes: 500, kills: 10 },
	async run({ runs, ...each }, tools) {
		const all: Figures[] = [];
		for (let run = 1; run <= runs; run += 1) {
			all.push(await Server.with((server) => followOne(server, each, tools), { PORT: freePort() }));
			tools.report(`${run} copies are equal`);
		}
		const names = Object.keys(all[0] ?? {});
		const sums = names.map((name) => [name, all.reduce((sum, figures) => sum + Number(figures[name]), 0)]);
		return { 'copies that were equal in the end': `${all.length} of ${runs}`, ...Object.fromEntries(sums) };
	},
};

const follower = Bun.fileURLToPath(new URL('./follower.ts', import.meta.url));

/** The number of changing clients. */
const clients = 4;

async function followOne(server: Server, { changes, kills }: Omit<Scale, 'runs'>, { chance }: Tools): Promise<Figures> {
	const folder = newFolder();
	const [program, file] = [writeExample(folder, 'sync'), join(folder, 'copy.db')];
	const { key } = server.addProgram(['employee:view:all', 'store:view', 'role:view']);
	const url = server.url.replace(/\/$/, '');
	const start = () => spawn({ command: [process.execPath, follower, program, url, key, file] });
	let following = start();
	const changer = new Changer(server, chance, 'all');
	const ends = { program: 0, service: 0 };
	for (let end = 0; end <= kills; end += 1) {
		const enough = Math.ceil((changes * (end + 1)) / (kills + 1));
		const changing = Array.from({ length: clients }, () => changer.changeUntil(() => changer.done >= enough));
		await Promise.all(changing.slice(1));
		// One client continues during a kill.
		if (end === kills) await changing[0];
		else if (end % 2 === 0) {
			ends.program += 1;
			following.kill('SIGKILL');
			await following.exited;
			following = start();
		} else {
			ends.service += 1;
			changer.isEnding = true;
			const code = await server.program.end(chance.below(3) === 0 ? 'SIGTERM' : 'SIGKILL');
			if (code !== 0 && code !== 137) throw new Error(`the service ended with ${code}`);
			await server.restart();
			changer.isEnding = false;
		}
		await changing[0];
	}
	// Like a restore: the copy can rely on nothing it has.
	server.alter((database) => database.run('update installation set token_epoch = ?', [crypto.randomUUID()]));
	const enough = changer.done + 5;
	await changer.changeUntil(() => changer.done >= enough);
	const things = await requireEqual(server, file);
	following.kill('SIGKILL');
	await following.exited;
	return {
		'things in them': things,
		changes: changer.done,
		'of many at once': changer.ofMany,
		refused: changer.refused,
		'kills of the program': ends.program,
		'ends of the service': ends.service,
	};
}

/** Waits until the copy is complete. @returns the number of its items. @throws Error when it differs from the database. */
async function requireEqual(server: Server, file: string): Promise<number> {
	// Notifies the waiting copy.
	await server.addArea();
	const { next } = expectStatus(await server.asSuper('GET', '/api/changes?newest=true'), 200);
	const kept = () => withDatabase(file, (copy) => copy.query('select cursor from kept').values()[0]?.[0]);
	while (!existsSync(file) || kept() !== next) await Bun.sleep(20);
	const copied = withDatabase(file, (copy) => copy.query('select kind, id, fields from things').all() as Body[]);
	const [found, wanted] = [new Map<string, string>(), storedIn(server)];
	for (const { kind, id, fields } of copied) {
		const { description: _, isSystem: __, ...own } = JSON.parse(fields);
		found.set(`${kind} ${id}`, JSON.stringify(Object.entries(own).toSorted()));
	}
	for (const key of new Set([...found.keys(), ...wanted.keys()])) {
		if (found.get(key) !== wanted.get(key))
			throw new Error(`${key} is ${wanted.get(key)}, and in the copy ${found.get(key)}`);
	}
	return wanted.size;
}

/** Returns the stored fields of each item that is not deleted, with the names of the API. */
function storedIn(server: Server): Map<string, string> {
	const times = "'createdAt', created_at, 'updatedAt', updated_at";
	const roles = `(select json_group_array(role_id) from (
		select role_id from employee_roles where employee_id = employees.id and unbound_at is null order by role_id))`;
	const fields = {
		EMPLOYEE: `employees: 'storeId', store_id, 'name', name, 'phone', phone, 'status', status, 'remark', remark, 'roleIds', json(${roles})`,
		STORE: "stores: 'name', name, 'address', address, 'phone', phone, 'status', status",
		ROLE: "roles: 'code', code, 'name', name",
	};
	const stored = Object.entries(fields).flatMap(([kind, text]) => {
		const [table, ...columns] = text.split(': ');
		const object = `json_object('id', id, ${columns.join(': ')}, ${times})`;
		return server.rows(`select ${object} as own from ${table} where deleted_at is null`).map(({ own }) => {
			const thing = JSON.parse(own);
			return [`${kind} ${thing.id}`, JSON.stringify(Object.entries(thing).toSorted())] as const;
		});
	});
	return new Map(stored);
}
