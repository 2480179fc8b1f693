/**
 * Machines on which people are hired while backups are copied to a bucket or a folder. Some copies are killed halfway. Each
 * machine is lost at a random moment, and restored from its newest copy.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBucket } from '../bucket.ts';
import { compiled, newFolder, runToEnd, spawn } from '../program.ts';
import { environmentFor, Server, startProgram, withDatabase } from '../server.ts';
import { adminPassword, expectStatus, newName, newPhone } from '../world.ts';
import { type Campaign, type Chance, type Figures, quantile, repeatDuring, type Tools } from './campaign.ts';
import { requireSound } from './database.ts';

interface Scale {
	machines: number;
	/** The longest life of a machine before it is lost, in milliseconds. */
	life: number;
}

export const recover: Campaign<Scale> = {
	name: 'recover',
	claim:
		'a machine that is lost comes back with everything acknowledged before its newest copy began, and with its secrets',
	short: { machines: 2, life: 150 },
	full: { machines: 40, life: 8000 },
	async run(scale, tools) {
		const bucket = await startBucket();
		try {
			return await loseAll(scale, bucket.settings, tools);
		} finally {
			await bucket.close();
		}
	},
};

async function loseAll(
	{ machines, life }: Scale,
	reach: Record<string, string>,
	{ chance, report }: Tools,
): Promise<Figures> {
	const keyFile = join(newFolder(), 'key');
	writeFileSync(keyFile, 'the key of the machines that are lost\n');
	const lost: Awaited<ReturnType<typeof loseOne>>[] = [];
	for (let index = 0; index < machines; index += 1) {
		const bucket = { ...reach, BACKUP_TO: `s3://chain/${index}`, BACKUP_KEY_FILE: keyFile };
		const to = index % 2 === 0 ? bucket : { BACKUP_TO: newFolder() };
		lost.push(await loseOne(to, life / 2 + chance.random() * life, chance));
		report(`${index + 1} machines`);
	}
	const sum = (of: (loss: (typeof lost)[number]) => number) => lost.reduce((total, loss) => total + of(loss), 0);
	return {
		'machines lost and recovered': machines,
		'copies made': sum(({ copies }) => copies),
		'copies killed': sum(({ killed }) => killed),
		'people hired': sum(({ hired }) => hired),
		'of these after it, and lost': sum(({ gone }) => gone),
		'longest loss in ms': Math.round(Math.max(...lost.map(({ span }) => span))),
	};
}

async function loseOne(to: { BACKUP_TO: string }, life: number, chance: Chance) {
	const server = await Server.start();
	const hiring = await hiringOn(server);
	let isLost = false;
	/** The start of the newest finished copy. */
	let newest = 0;
	const durations: number[] = [];
	let killed = 0;
	let copying: ReturnType<typeof spawn> | undefined;
	const copy = async () => {
		const began = performance.now();
		const environment = { ...environmentFor(server.data), ...to };
		const child = spawn({ command: [...compiled(), 'backup', to.BACKUP_TO], environment });
		copying = child;
		// Kills every third copy, at a random moment of its usual duration.
		const isKilled = durations.length > 0 && chance.below(3) === 0;
		if (isKilled) setTimeout(() => child.kill('SIGKILL'), chance.random() * quantile(durations, 0.5));
		const code = await child.exited;
		if (code !== 0 && !isKilled && !isLost) throw new Error('a copy failed');
		if (code !== 0) killed += 1;
		else {
			newest = began;
			durations.push(performance.now() - began);
		}
	};
	const hire = () =>
		hiring.next().catch((error) => {
			if (!isLost) throw error;
		});
	const lose = async () => {
		// A machine without a copy could not be restored.
		while (durations.length === 0) await Bun.sleep(10);
		await Bun.sleep(life);
		isLost = true;
		copying?.kill('SIGKILL');
		server.program.signal('SIGKILL');
		return performance.now();
	};
	const end = await repeatDuring(lose, hire, copy);
	await server.program.exited;
	const secrets = join(server.data, 'secrets.json');
	const kept = existsSync(secrets) ? readFileSync(secrets, 'utf8') : undefined;
	rmSync(server.data, { recursive: true });
	const folder = newFolder();
	const found = await restoreAndServe(`${to.BACKUP_TO}/latest`, folder, to);
	if (kept !== undefined && readFileSync(join(folder, 'data/secrets.json'), 'utf8') !== kept) {
		throw new Error('the secrets are others');
	}
	const strange = found.difference(hiring.asked);
	if (strange.size > 0) throw new Error(`it came back with people that nobody hired: ${[...strange].slice(0, 5)}`);
	const gone = Array.from(hiring.hired).filter(([phone]) => !found.has(phone));
	const missing = gone.filter(([, at]) => at < newest);
	if (missing.length > 0)
		throw new Error(`${missing.length} people were hired before the newest copy began, and are gone`);
	// The milliseconds from the first lost hire to the end.
	const span = gone.length === 0 ? 0 : end - Math.min(...gone.map(([, at]) => at));
	return { copies: durations.length, killed, hired: hiring.hired.size, gone: gone.length, span };
}

/** Hires one employee after the other. Keeps the requested phones, and the time of each acknowledgement. */
async function hiringOn(server: Server) {
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

/** Restores a backup into a new installation, and uses it. Returns the phones of employees with a role. */
async function restoreAndServe(backup: string, folder: string, settings: object): Promise<Set<string>> {
	const data = join(folder, 'data');
	const environment = { ...environmentFor(data), ...settings };
	const restored = await runToEnd({ command: [...compiled(), 'restore', backup], environment });
	if (restored.code !== 0) throw new Error(`${backup} cannot be restored: ${restored.stderr}`);
	const query = 'select phone from employees join employee_roles on employee_id = employees.id';
	const phones = withDatabase(join(data, 'access.db'), (database) => database.query(query).values());
	const found = new Set(phones.flat().map(String));
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
