/** Machines that are lost at a random moment, and come back from the copies of their backups. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import S3rver from 's3rver';
import { compiled, newFolder, spawn } from '../program.ts';
import { environmentFor, Server } from '../server.ts';
import { Hiring, restoreAndServe } from './backups.ts';
import type { Campaign, Figures } from './campaign.ts';
import { type Chance, naming, newChance } from './chance.ts';

interface Scale {
	machines: number;
	/** How long a machine lives at most before it is lost, in milliseconds. */
	life: number;
}

export const recover: Campaign<Scale> = {
	name: 'recover',
	claim:
		'a machine that is lost comes back with everything acknowledged before its newest copy began, and with its secrets',
	short: { machines: 1, life: 300 },
	full: { machines: 20, life: 10_000 },
	async run({ machines, life }, report) {
		const chance = newChance();
		const options = { address: '127.0.0.1', port: 0, silent: true, directory: newFolder() };
		const bucket = new S3rver({ ...options, configureBuckets: [{ name: 'chain', configs: [] }] });
		const { port } = (await bucket.run()) as { port: number };
		try {
			return await naming(chance, () => loseAll({ machines, life }, `http://127.0.0.1:${port}`, chance, report));
		} finally {
			await bucket.close();
		}
	},
};

async function loseAll(
	{ machines, life }: Scale,
	endpoint: string,
	chance: Chance,
	report: (step: string) => void,
): Promise<Figures> {
	const keyFile = join(newFolder(), 'key');
	writeFileSync(keyFile, Buffer.alloc(32, 7));
	const lost: Loss[] = [];
	for (let index = 0; index < machines; index += 1) {
		const to = {
			BACKUP_TO: `s3://chain/${index}`,
			S3_ENDPOINT: endpoint,
			S3_ACCESS_KEY_ID: 'S3RVER',
			S3_SECRET_ACCESS_KEY: 'S3RVER',
			BACKUP_KEY_FILE: keyFile,
			BACKUP_SECRETS: 'on',
		};
		lost.push(await loseOne(to, life / 2 + chance.random() * life));
		report(`${index + 1} machines`);
	}
	const sum = (of: (loss: Loss) => number) => lost.reduce((total, loss) => total + of(loss), 0);
	return {
		'machines lost and recovered': machines,
		'copies made': sum(({ copies }) => copies),
		'acknowledged before the newest copy, and missing': 0,
		'people hired': sum(({ hired }) => hired),
		'of these after it, and lost': sum(({ gone }) => gone),
		'longest loss in ms, longest time since a copy began': [
			Math.max(...lost.map(({ span }) => span)),
			Math.max(...lost.map(({ since }) => since)),
		]
			.map(Math.round)
			.join(', '),
		seed: chance.seed,
	};
}

interface Loss {
	copies: number;
	hired: number;
	gone: number;
	/** From the first person who was lost to the end, and from the beginning of the newest copy to the end, in milliseconds. */
	span: number;
	since: number;
}

type Settings = Record<string, string> & { BACKUP_TO: string };

async function loseOne(to: Settings, life: number): Promise<Loss> {
	const server = await Server.start();
	const hiring = await Hiring.in(server);
	let isOver = false;
	/** When the newest copy that was finished began. */
	let newest = 0;
	let copies = 0;
	let copying: ReturnType<typeof spawn> | undefined;
	const copy = async () => {
		while (!isOver) {
			const began = performance.now();
			copying = spawn({
				command: [...compiled(), 'backup', to.BACKUP_TO],
				environment: { ...environmentFor(server.data), ...to },
			});
			if ((await copying.exited) === 0) [newest, copies] = [began, copies + 1];
			else if (!isOver) throw new Error('a copy failed');
		}
	};
	// A machine without a copy has nothing to come back from.
	const working = [hiring.until(() => isOver).catch(() => {}), copy()];
	while (copies === 0) await pause(10);
	await pause(life);
	isOver = true;
	const end = performance.now();
	copying?.kill('SIGKILL');
	await server.program.end('SIGKILL');
	const secrets = join(server.data, 'secrets.json');
	const kept = existsSync(secrets) ? readFileSync(secrets, 'utf8') : undefined;
	rmSync(server.data, { recursive: true });
	await Promise.allSettled(working);
	const folder = newFolder();
	const found = await restoreAndServe(`${to.BACKUP_TO}/latest`, folder, to);
	if (kept !== undefined && readFileSync(join(folder, 'data/secrets.json'), 'utf8') !== kept) {
		throw new Error('the secrets are others');
	}
	const gone = Array.from(hiring.hired).filter(([phone]) => !found.has(phone));
	const missing = gone.filter(([, at]) => at < newest);
	if (missing.length > 0)
		throw new Error(`${missing.length} people were hired before the newest copy began, and are gone`);
	const span = gone.length === 0 ? 0 : end - Math.min(...gone.map(([, at]) => at));
	return { copies, hired: hiring.hired.size, gone: gone.length, span, since: end - newest };
}
