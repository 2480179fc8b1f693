/** Machines that are lost at a random moment, and come back from the copies of their backups. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, newFolder, spawn } from '../program.ts';
import { environmentFor, Server } from '../server.ts';
import { hiringOn, restoreAndServe } from './backups.ts';
import { beside, type Campaign, type Figures, type Tools } from './campaign.ts';

interface Scale {
	machines: number;
	/** How long a machine lives at most before it is lost, in milliseconds. */
	life: number;
}

export const recover: Campaign<Scale> = {
	name: 'recover',
	claim:
		'a machine that is lost comes back with everything acknowledged before its newest copy began, and with its secrets',
	short: { machines: 1, life: 150 },
	full: { machines: 20, life: 10_000 },
	async run(scale, tools) {
		// Only here, because it takes long to load.
		const { default: S3rver } = await import('s3rver');
		const options = { address: '127.0.0.1', port: 0, silent: true, directory: newFolder() };
		const bucket = new S3rver({ ...options, configureBuckets: [{ name: 'chain', configs: [] }] });
		const { port } = (await bucket.run()) as { port: number };
		try {
			return await loseAll(scale, `http://127.0.0.1:${port}`, tools);
		} finally {
			await bucket.close();
		}
	},
};

async function loseAll({ machines, life }: Scale, endpoint: string, { chance, report }: Tools): Promise<Figures> {
	const keyFile = join(newFolder(), 'key');
	writeFileSync(keyFile, 'the key of the machines that are lost\n');
	const lost: Awaited<ReturnType<typeof loseOne>>[] = [];
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
	const sum = (of: (loss: (typeof lost)[number]) => number) => lost.reduce((total, loss) => total + of(loss), 0);
	return {
		'machines lost and recovered': machines,
		'copies made': sum(({ copies }) => copies),
		'acknowledged before the newest copy, and missing': 0,
		'people hired': sum(({ hired }) => hired),
		'of these after it, and lost': sum(({ gone }) => gone),
		'longest loss in ms': Math.round(Math.max(...lost.map(({ span }) => span))),
	};
}

async function loseOne(to: { BACKUP_TO: string }, life: number) {
	const server = await Server.start();
	const hiring = await hiringOn(server);
	let isLost = false;
	/** When the newest copy that was finished began. */
	let newest = 0;
	let copies = 0;
	let copying: ReturnType<typeof spawn> | undefined;
	const copy = async () => {
		const began = performance.now();
		const environment = { ...environmentFor(server.data), ...to };
		copying = spawn({ command: [...compiled(), 'backup', to.BACKUP_TO], environment });
		if ((await copying.exited) === 0) [newest, copies] = [began, copies + 1];
		else if (!isLost) throw new Error('a copy failed');
	};
	const hire = () =>
		hiring.next().catch((error) => {
			if (!isLost) throw error;
		});
	const lose = async () => {
		// A machine without a copy has nothing to come back from.
		while (copies === 0) await Bun.sleep(10);
		await Bun.sleep(life);
		isLost = true;
		copying?.kill('SIGKILL');
		server.program.signal('SIGKILL');
		return performance.now();
	};
	const end = await beside(lose, hire, copy);
	await server.program.exited;
	const secrets = join(server.data, 'secrets.json');
	const kept = existsSync(secrets) ? readFileSync(secrets, 'utf8') : undefined;
	rmSync(server.data, { recursive: true });
	const folder = newFolder();
	const found = await restoreAndServe(`${to.BACKUP_TO}/latest`, folder, to);
	if (kept !== undefined && readFileSync(join(folder, 'data/secrets.json'), 'utf8') !== kept) {
		throw new Error('the secrets are others');
	}
	const gone = Array.from(hiring.hired).filter(([phone]) => !found.has(phone));
	const missing = gone.filter(([, at]) => at < newest);
	if (missing.length > 0)
		throw new Error(`${missing.length} people were hired before the newest copy began, and are gone`);
	// From the first person who was lost to the end, in milliseconds.
	const span = gone.length === 0 ? 0 : end - Math.min(...gone.map(([, at]) => at));
	return { copies, hired: hiring.hired.size, gone: gone.length, span };
}
