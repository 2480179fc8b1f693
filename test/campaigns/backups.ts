/** Backups beside a busy server, some of them killed on the way; each one that exists is restored and served. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, newFolder, runToEnd, spawn } from '../program.ts';
import { environmentFor, Server, startProgram, withDatabase } from '../server.ts';
import { adminPassword, expectStatus, newName, newPhone } from '../world.ts';
import { beside, type Campaign, type Figures, quantile, type Tools } from './campaign.ts';
import { requireSound } from './database.ts';

interface Scale {
	/** Every other one is killed, at any moment of the time that a whole one takes after its first word. */
	backups: number;
	/** How many people are hired before the first one, so that a backup takes some time. */
	peopleBefore: number;
}

export const backups: Campaign<Scale> = {
	name: 'backups',
	claim: 'a backup beside a busy server has everything acknowledged before it began, or leaves no file of its name',
	short: { backups: 2, peopleBefore: 30 },
	full: { backups: 100, peopleBefore: 5000 },
	run: (scale, tools) => Server.with((server) => backUpAndRestore(server, scale, tools)),
};

/** People who are hired one after the other: the phones that were asked for, and when each was acknowledged. */
export async function hiringOn(server: Server) {
	const { id: storeId } = await server.addStore();
	const token = server.superToken;
	const asked = new Set<string>();
	const hired = new Map<string, number>();
	const next = async () => {
		const phone = newPhone();
		asked.add(phone);
		const body = { storeId, name: newName('员工'), phone, roleIds: [3] };
		expectStatus(await server.send('POST', '/api/employees', { token, body }), 201);
		hired.set(phone, performance.now());
	};
	return { asked, hired, next };
}

async function backUpAndRestore(server: Server, scale: Scale, { chance, report }: Tools): Promise<Figures> {
	const hiring = await hiringOn(server);
	const hireThree = () => Promise.all([1, 2, 3].map(() => hiring.next()));
	while (hiring.hired.size < scale.peopleBefore) await hireThree();

	const target = newFolder();
	const durations: number[] = [];
	const makeOne = async (index: number) => {
		let known = new Set<string>();
		const file = join(target, 'copy.db');
		const isKilled = index % 2 === 1;
		const killAfter = isKilled ? chance.random() * quantile(durations, 0.5) : undefined;
		const backUpMeanwhile = async () => {
			// Others are being hired at this moment.
			await hiring.next();
			known = new Set(hiring.hired.keys());
			return backUp(server, file, killAfter);
		};
		const duration = await beside(backUpMeanwhile, hireThree);
		if (!isKilled) durations.push(duration);
		if (existsSync(file)) {
			await requireWithin(file, known, hiring.asked);
			renameSync(file, join(target, `${index}.db`));
		} else if (!isKilled) throw new Error(`a backup succeeds without its file ${file}`);
		const left = readdirSync(target).filter((name) => !/^\d+\.db$/.test(name));
		if (!isKilled && left.length > 0) throw new Error(`${left} of killed backups stay for ever`);
	};
	for (let index = 0; index < scale.backups; index += 1) {
		await makeOne(index);
		if (index % 20 === 19) report(`${index + 1} backups`);
	}
	return {
		backups: scale.backups,
		killed: Math.floor(scale.backups / 2),
		'restored and served': readdirSync(target).filter((name) => name.endsWith('.db')).length,
		'people hired meanwhile': hiring.hired.size - scale.peopleBefore,
		'acknowledged before and missing': 0,
		'backup p50, max in ms': [quantile(durations, 0.5), Math.max(...durations)].map(Math.round).join(', '),
	};
}

/** Makes a backup, or kills it some milliseconds after its first word; how long it took from there. */
async function backUp(server: Server, file: string, killAfter: number | undefined): Promise<number> {
	const child = spawn({ command: [...compiled(), 'backup', file], environment: environmentFor(server.data) });
	let [began, output] = [0, ''];
	for await (const chunk of child.stderr) {
		if (output === '') {
			began = performance.now();
			if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
		}
		output += new TextDecoder().decode(chunk);
	}
	const code = await child.exited;
	if (killAfter === undefined && code !== 0) throw new Error(`a backup ends with ${code}: ${output}`);
	return performance.now() - began;
}

/** @throws Error when a backup is damaged, lacks somebody who was hired before it, or knows somebody nobody asked for. */
async function requireWithin(file: string, known: ReadonlySet<string>, asked: ReadonlySet<string>): Promise<void> {
	requireSound(file);
	const copied = phonesIn(file);
	const missing = known.difference(copied);
	if (missing.size > 0) throw new Error(`${file} lacks ${[...missing].slice(0, 5)}, hired before it began`);
	const strange = copied.difference(asked);
	if (strange.size > 0) throw new Error(`${file} has ${[...strange].slice(0, 5)}, whom nobody asked for`);
	const folder = newFolder();
	const found = await restoreAndServe(file, folder);
	if (found.size !== copied.size) throw new Error(`${file} restored has ${found.size} people, not ${copied.size}`);
	rmSync(folder, { recursive: true, force: true });
}

/** The phones of those who have a role. */
function phonesIn(file: string): Set<string> {
	const query = 'select phone from employees join employee_roles on employee_id = employees.id';
	return new Set(withDatabase(file, (database) => database.query(query).values().flat().map(String)));
}

/** Restores a backup into a new installation, and uses that; the phones that it has. */
export async function restoreAndServe(
	backup: string,
	folder: string,
	settings: Record<string, string> = {},
): Promise<Set<string>> {
	const data = join(folder, 'data');
	const environment = { ...environmentFor(data), ...settings };
	const restored = await runToEnd({ command: [...compiled(), 'restore', backup], environment });
	if (restored.code !== 0) throw new Error(`${backup} cannot be restored: ${restored.stderr}`);
	const found = phonesIn(join(data, 'access.db'));
	const program = await startProgram(folder);
	try {
		const token = await program.signIn('admin', adminPassword);
		const { pagination } = expectStatus(await program.send('GET', '/api/employees?pageSize=1', { token }), 200);
		if (pagination.total !== found.size) throw new Error(`${backup} restored lists ${pagination.total} people`);
		expectStatus(await program.send('POST', '/api/stores', { token, body: { name: newName('店') } }), 201);
	} finally {
		await program.end();
	}
	requireSound(join(data, 'access.db'));
	return found;
}
