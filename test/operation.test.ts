import { afterEach, describe, expect, jest, mock, spyOn, test } from 'bun:test';
import {
	chmodSync,
	closeSync,
	constants,
	copyFileSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { backupPath } from '../src/platform/database/backup.ts';
import { type Db, openDatabase, openExistingDatabase } from '../src/platform/database/open.ts';
import { readConfig } from '../src/platform/machine/config.ts';
import { dataFolderAt } from '../src/platform/machine/data-folder.ts';
import { createLog } from '../src/platform/machine/log.ts';
import { readTls } from '../src/server/certificate.ts';
import { createListener } from '../src/server/listen.ts';
import { readBackupProblems, scheduleBackups } from '../src/server/scheduled-backups.ts';
import { startService } from '../src/server/server.ts';
import { makeCertificate } from './certificate.ts';
import { Connection, wireTextOf } from './connection.ts';
import { someOf } from './full.ts';
import { Service } from './harness.ts';
import {
	expectFailed,
	failed,
	failToStart,
	mode,
	removeFoldersAfterAll,
	serveHere,
	startHere,
	stoppedFolder,
} from './installation.ts';
import { baseEnvironment, compiled, newFolder, Program, root } from './program.ts';
import { runHere } from './run-here.ts';
import { firstStartWas, given, newInstallation, serve, withDatabase } from './server.ts';
import { adminPassword, expectStatus } from './world.ts';

removeFoldersAfterAll();
afterEach(() => mock.restore());

const command = compiled();

/** Messages of the system or OpenSSL that no operator understands. */
const openSslWords = /\bE[A-Z]{3,}\b(?!_)|error:|OPENSSL|routines/;
const portOf = (program: Program) => new URL(program.url).port;
const open = (program: Program) => Connection.open(program.url);
const login = JSON.stringify({ username: 'admin', password: adminPassword });

const halfHead = 'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-';
const fullHead =
	'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
	`Content-Length: ${login.length}\r\n\r\n`;
const health = { method: 'GET', path: '/health' };

test('a second start on the same folder fails, by any path', async () => {
	const folder = await newInstallation();
	await using _first = await serve({ DATA_DIR: folder });
	const link = join(newFolder(), 'link');
	symlinkSync(folder, link);
	for (const DATA_DIR of [folder, link]) {
		const stderr = `DATA_DIR=${DATA_DIR} is in use by another process: stop that one first\n`;
		expect(await failToStart({ DATA_DIR })).toEqual({ ...failed, stderr });
	}
});

test('a first start that cannot store the administrator fails, because nobody could ever sign in', async () => {
	using _ = spyOn(Bun.password, 'hash').mockRejectedValueOnce(new Error('no memory'));
	const started = startService({
		config: readConfig({ ...baseEnvironment, DATA_DIR: newFolder(), ...given }),
		log: createLog({ write() {} }, 'error'),
		user: 'tester',
		program: command,
		startsNew: false,
		onSecretsMade() {},
	});
	expect(await started.catch(String)).toEndWith(': no memory');
});

/** The answers to requests in flight, and the milliseconds from their first byte to the last answer. */
interface Stopped {
	answers: readonly unknown[];
	took: number;
}

/** The milliseconds that the program waits for requests in flight. It waits a little longer for the next byte of one. */
const patience = 6000;

/** Repeats a stop that took longer than the program waits, on a busy machine. A missing answer then proves nothing. */
async function inTime<S extends Stopped>(stop: () => Promise<S>): Promise<S> {
	const stopped = await stop();
	return stopped.answers.includes(undefined) && stopped.took > patience ? inTime(stop) : stopped;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Stops a program with two requests in flight. */
async function stopWith(signal: (typeof signals)[number]) {
	const folder = await newInstallation();
	const program = await serve({ DATA_DIR: folder });
	const idle = await open(program);
	await idle.ask(health);
	const slow = await open(program);
	const start = performance.now();
	slow.write(fullHead + login.slice(0, 10));
	const hashing = await open(program);
	hashing.write(fullHead + login);
	// This answer proves that the earlier requests have arrived.
	await (await open(program)).ask(health);
	program.signal(signal);
	await program.wrote(/"message":"stopping"/);
	// A second signal changes nothing.
	program.signal(signal);
	await idle.closed;
	expect(await open(program).catch(() => 'refused')).toBe('refused' as never);
	slow.write(login.slice(10));
	const answers = [await slow.answer(), await hashing.answer()];
	const took = performance.now() - start;
	await Promise.all([slow.closed, hashing.closed]);
	const code = await program.end(signal);
	return { answers, took, code, log: program.log, files: readdirSync(folder).sort() };
}

const tried = someOf(signals, (signal) => signal === 'SIGTERM');
// These mostly wait for their own processes, so they run concurrently.
test.concurrent.each(tried)('%s answers requests in flight, refuses new ones and checkpoints', async (signal) => {
	const { answers, code, log, files } = await inTime(() => stopWith(signal));
	const signedIn = { status: 200, text: expect.stringContaining('"token"') };
	expect(answers).toEqual([expect.objectContaining(signedIn), expect.objectContaining(signedIn)]);
	expect(code).toBe(0);
	expect(log.at(-1)).toMatchObject({ level: 'info', message: 'stopped' });
	// The two health checks and the two sign-ins.
	expect(log.filter(({ message }) => message === 'request')).toHaveLength(4);
	expect(files).toEqual(stoppedFolder);
});

/** Makes a program fail with a request in flight. */
async function failWithRequest() {
	const folder = await newInstallation();
	const preload = join(newFolder(), 'fail.ts');
	writeFileSync(preload, "process.on('SIGUSR2', () => { Promise.reject(new Error('an uncaught error')); });\n");
	const program = await serve({ DATA_DIR: folder, BUN_OPTIONS: `--preload ${preload}` });
	const slow = await open(program);
	const start = performance.now();
	slow.write(fullHead + login.slice(0, 10));
	await (await open(program)).ask(health);
	process.kill(program.pid, 'SIGUSR2');
	await program.wrote(/"message":"stopping"/);
	slow.write(login.slice(10));
	const answers = [await slow.answer()];
	const took = performance.now() - start;
	await slow.closed;
	const code = await program.exited;
	return { answers, took, code, log: program.log, folder };
}

test.concurrent('an uncaught error is logged, requests in flight are answered, and the process exits 1', async () => {
	const { answers, code, log, folder } = await inTime(failWithRequest);
	expect([answers[0]?.status, code]).toEqual([200, 1]);
	const failure = { level: 'error', error: expect.stringContaining('an uncaught error') };
	expect(log).toContainEqual(expect.objectContaining(failure));
	expect(existsSync(join(folder, 'access.db-wal'))).toBe(false);
});

// 1,000 requests write more lines than a pipe holds.
test.concurrent.each([
	['has gone', 50],
	['stalls', 1000],
])('a reader of the log that %s holds up neither answers nor a stop', async (how, requests) => {
	const log = join(newFolder(), 'log');
	Bun.spawnSync(['mkfifo', log]);
	const reader = openSync(log, constants.O_RDONLY | constants.O_NONBLOCK);
	const writer = openSync(log, constants.O_WRONLY);
	const folder = await newInstallation();
	const child = Bun.spawn(command, { env: { ...baseEnvironment, ...given, DATA_DIR: folder }, stdout: writer });
	closeSync(writer);
	const chunk = Buffer.alloc(65_536);
	let output = '';
	for (; !output.includes('"listening"'); await Bun.sleep(5)) output += readAvailable(reader, chunk);
	if (how === 'has gone') closeSync(reader);
	await askOften(/"url":"([^"]+)"/.exec(output)?.[1] ?? '', requests);
	child.kill('SIGTERM');
	expect(await child.exited).toBe(0);
	expect(readdirSync(folder).sort()).toEqual(stoppedFolder);
	if (how === 'stalls') expect(readAvailable(reader, chunk)).not.toContain('"stopping"');
});

test('clients that stall hold up a stop for some seconds and no longer', async () => {
	const program = await serveHere({ DATA_DIR: await newInstallation(), ...given });
	const clients = await Promise.all([1, 2, 3, 4].map(() => open(program)));
	clients[0]?.write(halfHead);
	clients[1]?.write(fullHead + login.slice(0, 10));
	clients[2]?.write('POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a');
	await clients[3]?.ask(health);
	const { sleep } = Bun;
	const slept: number[] = [];
	spyOn(Bun, 'sleep').mockImplementation((time) => {
		slept.push(Number(time));
		return sleep(1);
	});
	expect(await program.end()).toBe(0);
	// systemd kills after ten seconds.
	expect([Math.max(...slept) > 5000, slept.reduce((sum, time) => sum + time) < 9000]).toEqual([true, true]);
	expect(program.log).toContainEqual(expect.objectContaining({ message: 'closing connections that did not finish' }));
	for (const client of clients) await client.closed;
});

test('a client that waits for a change is answered at once at a stop, and gives up its place by hanging up', async () => {
	const program = await serveHere({ DATA_DIR: await newInstallation(), ...given });
	const token = await program.signIn('admin', adminPassword);
	const { body } = await program.send('GET', '/api/changes?newest=true', { token });
	const path = `/api/changes?after=${body.data.next}&wait=`;
	const waitFor = (seconds: number) => ({ method: 'GET', path: path + seconds, token });
	const clients: Connection[] = [];
	for (let count = 0; count < 5; count += 1) {
		const client = await open(program);
		client.write(wireTextOf(waitFor(25)));
		clients.push(client);
		// This answer proves that the earlier request has arrived.
		await (await open(program)).ask(health);
	}
	const other = await open(program);
	expect((await other.ask(waitFor(1)))?.status).toBe(429);
	clients.shift()?.close();
	while ((await other.ask(waitFor(1)))?.status === 429);
	const ended = program.end();
	// A stop closes unanswered connections after six seconds.
	for (const client of clients) {
		const answer = await client.answer();
		expect([answer?.status, answer?.text]).toEqual([200, expect.stringContaining('"items":[]')]);
		await client.closed;
	}
	expect(await ended).toBe(0);
	expect(program.log.filter(({ route }) => route === '/api/changes').length).toBeGreaterThan(5);
	const cut = expect.objectContaining({ message: 'closing connections that did not finish' });
	expect(program.log).not.toContainEqual(cut);
});

test('a request ends where it says, whether its body is read, ignored or refused: a request hidden in it is not carried out', async () => {
	await using program = await serveHere({ DATA_DIR: await newInstallation(), ...given });
	const token = await program.signIn('admin', adminPassword);
	const hidden = wireTextOf({ method: 'POST', path: '/api/stores', token, body: { name: 'hidden' } });
	const size = Buffer.byteLength(hidden);
	const next = wireTextOf({ ...health, headers: { connection: 'close' } });
	const bodies = [
		[{ 'content-length': String(size) }, hidden],
		[{ 'transfer-encoding': 'chunked' }, `${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
	] as const;
	const carriers = ['POST /api/auth/login', 'GET /health', 'POST /api/stores', 'DELETE /api/roles/1', 'GET /zz'];
	for (const carrier of [...carriers, 'PATCH /api/employees/999/password/reset']) {
		const [method = '', path = ''] = carrier.split(' ');
		for (const [headers, body] of bodies) {
			const head = wireTextOf({ method, path, headers: { 'content-type': 'application/json', ...headers } });
			const answers = await (await open(program)).exchange(`${head}${body}${next}`);
			const [first = 500, ...others] = answers.map(({ status }) => status);
			expect([carrier, first < 500, others]).toEqual([carrier, true, [200]]);
		}
	}
	expect((await program.send('GET', '/api/stores', { token })).body.data).toEqual([]);
});

/** Sends requests to a server, 50 at a time. */
async function askOften(url: string, times: number): Promise<void> {
	const connection = await Connection.open(url);
	for (let asked = 0; asked < times; asked += 50) {
		connection.write(wireTextOf(health).repeat(50));
		for (let answers = 0; answers < 50; answers += 1) expect(await connection.answer()).toBeDefined();
	}
	connection.close();
}

/** The present content of a pipe. */
function readAvailable(pipe: number, chunk: Buffer): string {
	try {
		return chunk.toString('utf8', 0, readSync(pipe, chunk));
	} catch {
		// It is empty.
		return '';
	}
}

test.concurrent('SIGHUP changes nothing for a server that nohup started', async () => {
	const environment = { ...given, DATA_DIR: await newInstallation() };
	const program = await Program.start({ command: ['nohup', ...command], environment });
	program.signal('SIGHUP');
	for (let round = 0; round < 3; round += 1) expect((await program.send('GET', '/health')).status).toBe(200);
	expect(await program.end()).toBe(0);
});

describe('scheduled backups', () => {
	const finished = /"message":"(backed up|the automatic backup failed)".*\n/;
	const name = (hoursAgo: number, kind = 'automatic') =>
		basename(backupPath('', new Date(Date.now() - hoursAgo * 3_600_000), kind));

	/** A data folder with fake backups. */
	async function folderWith(names: string[]): Promise<string> {
		const folder = await newInstallation();
		mkdirSync(join(folder, 'backups'), { mode: 0o700 });
		for (const file of names) writeFileSync(join(folder, 'backups', file), 'old', { mode: 0o600 });
		return folder;
	}

	test('without any setting, the first one is made half an hour after the first start, or at once if the clock was ahead', async () => {
		const [folder, fresh, ahead] = [await newInstallation(), await newInstallation(), await newInstallation()];
		firstStartWas(0.6, folder);
		firstStartWas(0.4, fresh);
		firstStartWas(-9000, ahead);
		const found = await runHere(['check', '--only', 'backups'], { DATA_DIR: ahead });
		expect(found.stdout).toMatch(/^warn backups: there is none in /);
		const corrected = await serveHere({ DATA_DIR: ahead, ...given });
		await corrected.wrote(finished);
		const early = await serveHere({ DATA_DIR: fresh, ...given });
		const program = await serveHere({ DATA_DIR: folder, ...given });
		await program.wrote(finished);
		const [file = ''] = readdirSync(join(folder, 'backups'));
		expect(readdirSync(join(folder, 'backups'))).toEqual([expect.stringMatching(/^automatic-\d{8}T\d{6}Z\.db$/)]);
		const path = join(folder, 'backups', file);
		expect(mode(path)).toBe('600');
		const line = { level: 'info', message: 'backed up', path, bytes: statSync(path).size };
		expect(program.log).toContainEqual(expect.objectContaining(line));
		await Promise.all([early.end(), program.end(), corrected.end()]);
		expect(existsSync(join(fresh, 'backups'))).toBe(false);
		const usernames = withDatabase(path, (database) => database.query('select username from administrators').values());
		expect(usernames).toEqual([['admin']]);
	});

	test('one is made when the newest is older than the interval, not before; one with a time in the future is ignored', async () => {
		const names = [[name(1)], [name(3)], [name(3), name(-9000)]];
		const [fresh = '', never = '', stale = ''] = await Promise.all(names.map(folderWith));
		const start = (DATA_DIR: string, hours: number) =>
			serveHere({ DATA_DIR, ...given, BACKUP_EVERY_HOURS: String(hours) });
		const [early, off, due] = [await start(fresh, 2), await start(never, 0), await start(stale, 2)];
		// The server with the due backup started last: when it has finished, so have the others.
		await due.wrote(finished);
		await Promise.all([early.end(), off.end(), due.end()]);
		expect([fresh, never].map((folder) => readdirSync(join(folder, 'backups')))).toEqual(names.slice(0, 2));
		expect(readdirSync(join(stale, 'backups'))).toHaveLength(3);
		const backup = join(stale, 'backups', readdirSync(join(stale, 'backups')).sort()[1] ?? '');
		const newest = 'select actor_type, action from history order by id desc limit 1';
		expect(withDatabase(backup, (database) => database.query(newest).values())).toEqual([['SYSTEM', 'BACKUP']]);
	});

	test('of each kind that the program makes, the oldest are removed, also if the next one fails, and no other file', async () => {
		const kinds = ['automatic', 'before-upgrade-from-1'];
		const old = kinds.flatMap((kind) => [name(60, kind), name(50, kind)]);
		const kept = kinds.flatMap((kind) => [name(40, kind), name(30, kind), name(-9000, kind)]);
		const mine = [name(1000, 'backup'), 'notes.txt', 'automatic-mine.db'];
		const DATA_DIR = await folderWith([...old, ...kept, ...mine]);
		const replaced = [name(3, 'replaced'), name(2, 'replaced'), name(1, 'replaced')];
		const copy = `.access.db.${process.pid}-${crypto.randomUUID()}.partial`;
		for (const file of [...replaced, `${replaced[0]}-wal`, copy, `${copy}-wal`])
			writeFileSync(join(DATA_DIR, file), '');
		// A first start would write a file here, which removes such copies, too.
		firstStartWas(1, DATA_DIR);
		await using program = await serveHere({ DATA_DIR, ...given, BACKUP_KEEP: '2' }, ['false']);
		await program.wrote(/"message":"the automatic backup failed".*\n/);
		const line = { message: 'removed old backups', removed: [...old, replaced[0]] };
		expect(program.log).toContainEqual(expect.objectContaining(line));
		const others = readdirSync(DATA_DIR).filter((file) => /replaced|^\.access/.test(file));
		expect(others.sort()).toEqual(replaced.slice(1).sort());
		expect(readdirSync(join(DATA_DIR, 'backups')).sort()).toEqual([...kept, ...mine].sort());
	});

	/** A schedule in this process, on fake timers, with the lines of its log. */
	function scheduleHere(db: Db, settings: Record<string, string>, program: string[] = []) {
		const lines: string[] = [];
		const log = createLog({ write: (line) => lines.push(line) }, 'info');
		jest.useFakeTimers();
		const stop = scheduleBackups({ config: readConfig({ ...baseEnvironment, ...settings }), program, log, db });
		const end = () => {
			stop();
			jest.useRealTimers();
		};
		return { lines, [Symbol.dispose]: end };
	}

	test('one that fails is logged, reported by the next check with its cause, and tried again every ten minutes', async () => {
		const DATA_DIR = newFolder();
		firstStartWas(1, DATA_DIR);
		writeFileSync(join(DATA_DIR, 'backups'), 'a file where the folder should be');
		const problem = `cannot use ${join(DATA_DIR, 'backups')}: it is a file or a broken link, name a folder`;
		const error = expect.stringContaining(problem);
		using db = openDatabase(':memory:');
		using schedule = scheduleHere(db, { DATA_DIR });
		for (const tries of [1, 2, 3]) {
			for (let turn = 0; turn < 9; turn += 1) await null;
			expect(schedule.lines).toHaveLength(tries);
			expect(JSON.parse(schedule.lines.at(-1) ?? '')).toMatchObject({ level: 'error', error });
			const found = await runHere(['check', '--only', 'backups'], { DATA_DIR });
			expect(found.stdout).toMatch(
				/^warn backups: the last automatic one failed: .*: it is a file or a broken link, name a folder\n/,
			);
			jest.advanceTimersByTime(600_000);
		}
		expect(db.$client.query('select action from history').values()).toEqual([]);
	});

	test('go on after an hour when a place never answers the copy, whatever becomes of its process', async () => {
		const [DATA_DIR, BACKUP_TO] = [await newInstallation(), newFolder()];
		firstStartWas(1, DATA_DIR);
		const copying = join(DATA_DIR, 'copying');
		// Its child keeps its output open, as a process does that cannot be killed.
		const copy = `sleep 600 & echo $! > "${copying}.new"; mv "${copying}.new" "${copying}"; wait`;
		const script = `case $1 in backup) touch "$3"; echo '{}';; *) ${copy};; esac`;
		async function endCopy() {
			while (!existsSync(copying)) await Bun.spawn(['sleep', '0.02']).exited;
			jest.advanceTimersByTime(3_600_000);
			while (readBackupProblems(dataFolderAt(DATA_DIR)).copy === undefined) await Bun.spawn(['sleep', '0.02']).exited;
			process.kill(Number(readFileSync(copying, 'utf8')));
			rmSync(copying);
		}
		using db = openExistingDatabase(join(DATA_DIR, 'access.db'));
		const settings = { DATA_DIR, BACKUP_TO, BACKUP_EVERY_HOURS: '1' };
		using schedule = scheduleHere(db, settings, ['/bin/sh', '-c', script, 'access']);
		await endCopy();
		const [first = ''] = readdirSync(join(DATA_DIR, 'backups'));
		renameSync(join(DATA_DIR, 'backups', first), join(DATA_DIR, 'backups', name(3)));
		rmSync(join(DATA_DIR, 'backup-problems.json'));
		jest.advanceTimersByTime(600_000);
		await endCopy();
		const error = expect.stringMatching(/^it did not end within/);
		const failed = { message: 'the backup could not be copied', error };
		const round = [{ message: 'backed up' }, failed].map((line) => expect.objectContaining(line));
		expect(schedule.lines.map((line) => JSON.parse(line))).toEqual([...round, ...round]);
	});
});

const securityHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': expect.stringContaining("default-src 'none'"),
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	'x-request-id': expect.stringMatching(/\S/),
};

const warnings = (log: { level: string }[]) => log.filter(({ level }) => level === 'warn');

describe('TLS', () => {
	const folder = newFolder();

	const certificate = (name: string, options = {}) => makeCertificate(join(folder, name), options);
	const base = certificate('base');

	test('serves HTTPS only, with Strict-Transport-Security, and uses a renewed certificate without a restart', async () => {
		const files = certificate('before');
		await using program = await serve(files);
		expect(program.url).toStartWith('https://');
		const answer = await fetch(`${program.url}/health`, { tls: { ca: await Bun.file(files.TLS_CERT_FILE).text() } });
		expect(answer.status).toBe(200);
		for (const path of ['/health', '/api/stores', '/nowhere', '/swagger']) {
			const { headers } = await program.request(path);
			expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
		}
		expect(await program.signIn('admin', adminPassword)).toBeString();
		expect(await fetch(`${program.url.replace('https', 'http')}/health`).catch(() => 'refused')).toBe('refused');
		expect(await subjectAt(portOf(program))).toBe('CN=localhost');
		use(renewed, files);
		await program.wrote(/"message":"the certificate was renewed".*\n/);
		expect(await subjectAt(portOf(program))).toBe('CN=renewed');
		expect((await program.request('/nowhere')).status).toBe(404);
		await program.wrote(/certificate was renewed(.|\n)*"message":"request".*\n/);
		expect(program.log.findLast(({ message }) => message === 'request').address).toBe('127.0.0.1');
	});

	function file(name: string, text: string, path = join(folder, name)): string {
		writeFileSync(path, text);
		return path;
	}

	/** A copy of a key, encrypted with a passphrase. */
	function locked(key: string): string {
		const path = join(folder, 'locked.key');
		const made = Bun.spawnSync(['openssl', 'ec', '-in', key, '-aes256', '-passout', 'pass:phrase', '-out', path]);
		expect(made.success, made.stderr.toString()).toBe(true);
		return path;
	}

	const damaged = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
	const notTogether = 'do not belong together: give the key that the certificate was made for';
	const noCertificate = 'has no certificate, or a damaged one: give the chain in PEM';
	const notUsable = 'is not a usable private key: give';
	const chain = () => file('chain.pem', readFileSync(base.TLS_CERT_FILE, 'utf8') + damaged);
	const text = join(root, 'README.md');
	const missing = join(folder, 'missing.pem');
	test.each([
		['a text for a certificate', () => ({ TLS_CERT_FILE: text }), noCertificate],
		['a text for a key', () => ({ TLS_KEY_FILE: text }), notUsable],
		['an empty key', () => ({ TLS_KEY_FILE: file('empty.key', '') }), notUsable],
		['a passphrase on the key', () => ({ TLS_KEY_FILE: locked(base.TLS_KEY_FILE) }), 'passphrase'],
		['the key of another certificate', () => ({ TLS_KEY_FILE: certificate('other').TLS_KEY_FILE }), notTogether],
		['no file for the certificate', () => ({ TLS_CERT_FILE: missing }), 'not there, check the path'],
		['a folder for the key', () => ({ TLS_KEY_FILE: folder }), 'it is a folder, name a file'],
		['no key', () => ({ TLS_KEY_FILE: '' }), 'is not given, but TLS_CERT_FILE needs it'],
		['no certificate', () => ({ TLS_CERT_FILE: '' }), 'is not given, but TLS_KEY_FILE needs it'],
		['a damaged certificate in the chain', () => ({ TLS_CERT_FILE: chain() }), noCertificate],
	])('a start with %s fails, names the variable, and makes nothing', async (_, change, complaint) => {
		const changed = change();
		const DATA_DIR = newFolder();
		const ended = await failToStart({ ...base, ...changed, DATA_DIR });
		expectFailed(ended, complaint, ...Object.keys(changed));
		expect(ended.stderr).not.toMatch(openSslWords);
		expect(readdirSync(DATA_DIR)).toEqual([]);
	});

	/** Makes a connection, and returns what openssl says of it. */
	async function connectTo(port: string, ...options: string[]): Promise<string> {
		const client = ['openssl', 's_client', '-connect', `127.0.0.1:${port}`, ...options];
		return await Bun.spawn(client, { stdin: new Blob(['']), stderr: 'ignore' }).stdout.text();
	}

	/** The subject of the certificate that a new connection gets. */
	const subjectAt = async (port: string) => /^subject=(.*)$/m.exec(await connectTo(port))?.[1]?.replaceAll(' ', '');

	const renewed = certificate('renewed', { subject: '/CN=renewed' });
	/** Copies the certificate and the key, or one of them. */
	function use(from: Partial<typeof base>, to: typeof base): void {
		if (from.TLS_CERT_FILE) copyFileSync(from.TLS_CERT_FILE, to.TLS_CERT_FILE);
		if (from.TLS_KEY_FILE) copyFileSync(from.TLS_KEY_FILE, to.TLS_KEY_FILE);
	}

	/** A listener in this process, its log, and the check that compares its certificate files with those in use. */
	function listenWith(files: typeof base, answer: () => Response | Promise<Response> = () => new Response('here')) {
		const config = readConfig({ ...baseEnvironment, ...files });
		const said: string[] = [];
		const listener = createListener(config, readTls(config), createLog({ write: (line) => said.push(line) }, 'info'));
		using timers = spyOn(globalThis, 'setInterval');
		const { port } = listener.open(answer);
		return { listener, port, said, check: timers.mock.calls[0]?.[0] as () => void };
	}

	test('keeps the old certificate while the new one is unusable or the port is taken, says why, and tries again', async () => {
		const files = certificate('early');
		const { listener, port, said, check } = listenWith(files);
		writeFileSync(files.TLS_CERT_FILE, readFileSync(files.TLS_CERT_FILE, 'utf8') + damaged);
		check();
		use({ TLS_CERT_FILE: renewed.TLS_CERT_FILE }, files);
		check();
		check();
		const cannot = 'the renewed certificate cannot be used';
		expect(said.map((line) => JSON.parse(line))).toMatchObject([
			{ message: cannot, error: expect.stringContaining('or a damaged one') },
			{ message: cannot, error: expect.stringContaining('do not belong together') },
		]);
		expect(await subjectAt(port)).toBe('CN=localhost');
		use(renewed, files);
		spyOn(Bun, 'serve').mockImplementationOnce(() => {
			throw new Error('taken');
		});
		check();
		check();
		const lines = ['cannot listen on HOST=127.0.0.1', 'the certificate was renewed'];
		expect(said.slice(2)).toEqual(lines.map((line) => expect.stringContaining(line)));
		expect(await subjectAt(port)).toBe('CN=renewed');
		await listener.close();
	});

	test('a stop right after a renewal answers the requests of the old certificate, too', async () => {
		const files = certificate('replaced');
		const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
		const { listener, port, check } = listenWith(files, () => {
			begun.resolve();
			return held.promise;
		});
		const answer = fetch(`https://localhost:${port}`, { tls: { ca: readFileSync(files.TLS_CERT_FILE, 'utf8') } });
		await begun.promise;
		use(renewed, files);
		check();
		let isClosed = false;
		const closing = listener.close().then(() => {
			isClosed = true;
		});
		await Bun.sleep(100);
		expect(isClosed).toBe(false);
		held.resolve(new Response('here'));
		expect(await (await answer).text()).toBe('here');
		await closing;
	});

	test('a client of TLS 1.2 is accepted with forward secrecy, and not without it or with CBC', async () => {
		const { listener, port } = listenWith(certificate('rsa', { kind: 'rsa:2048' }));
		const isAccepted = async (cipher: string) =>
			/Cipher is (?!\(NONE\))/.test(await connectTo(port, '-tls1_2', '-cipher', cipher));
		const ciphers = ['ECDHE-RSA-AES128-GCM-SHA256', 'AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA'];
		expect(await Promise.all(ciphers.map(isAccepted))).toEqual([true, false, false]);
		await listener.close();
	});

	test('warns of a private key that others can read', async () => {
		chmodSync(base.TLS_KEY_FILE, 0o644);
		const { TLS_KEY_FILE: key } = base;
		const message = `every user of this machine can read ${key}: run chmod o= ${key}`;
		// No warning about a network without TLS.
		const environment = { DATA_DIR: await newInstallation(), ...given, ...base, HOST: '0.0.0.0' };
		expect(warnings(await startHere(environment))).toMatchObject([{ message }]);
	});
});

describe('listening without TLS', () => {
	const hasIPv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'));
	const open = ['0.0.0.0', ...(hasIPv6 ? ['::'] : [])];
	const closed = ['127.0.0.1', 'localhost', ...(hasIPv6 ? ['::1'] : [])];

	test.each([...open, ...closed])('on %s logs a warning if others can reach it', async (HOST) => {
		const settings = { DATA_DIR: await newInstallation(), ...given, HOST };
		const log = await startHere(settings);
		const opened = { '0.0.0.0': '127.0.0.1', '::': '127.0.0.1', '::1': '[::1]' }[HOST] ?? HOST;
		const said = (logged: typeof log) => logged.find(({ message }) => message === 'listening')?.backOffice;
		expect(said(log)).toMatch(new RegExp(`^http://${RegExp.escape(opened)}:[1-9]\\d*/back-office/$`));
		const proxied = await startHere({ ...settings, PUBLIC_URL: 'https://shop.example/a' });
		expect(said(proxied)).toBe('https://shop.example/a/back-office/');
		const warning = { message: expect.stringContaining('without TLS'), host: HOST };
		expect(warnings(log)).toMatchObject(open.includes(HOST) ? [warning] : []);
	});

	const isTaken = 'another program listens there, stop it or choose another port';
	const notOurs = 'the host is not an address of this machine, choose one that is, or 0.0.0.0 for all';
	test.each([
		['192.0.2.1', '0', notOurs],
		['fe80::1', '0', notOurs],
		['::::', '0', notOurs],
		['nowhere.invalid', '0', notOurs],
		['localhost', 'taken', isTaken],
		['127.0.0.1', 'taken', isTaken],
	])('on %s, port %s, fails in one line that says what to change', async (HOST, port, problem) => {
		await using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
		const PORT = port === 'taken' ? String(other.port) : port;
		const stderr = `cannot listen on HOST=${HOST} PORT=${PORT}: ${problem}\n`;
		const ended = await failToStart({ DATA_DIR: await newInstallation(), ...given, HOST, PORT });
		expect(ended).toEqual({ ...failed, stderr });
	});
});

test('every kind of answer carries the security headers', async () => {
	const service = await Service.start();
	const json = { 'content-type': 'application/json' };
	const signedIn = { ...json, authorization: `Bearer ${service.superToken}` };
	const store = JSON.stringify({ name: '甲店' });
	const answers: [status: number, path: string, options: RequestInit][] = [
		[200, '/health', {}],
		[200, '/api/stores', { headers: signedIn }],
		[200, '/swagger', {}],
		[200, '/swagger/json', {}],
		[200, '/swagger/swagger-ui.css', {}],
		[201, '/api/stores', { method: 'POST', headers: signedIn, body: store }],
		[409, '/api/stores', { method: 'POST', headers: signedIn, body: store }],
		[204, '/api/stores/1', { method: 'DELETE', headers: signedIn }],
		[400, '/api/stores?page=x', { headers: signedIn }],
		[400, '/api/auth/login', { method: 'POST', headers: json, body: '{' }],
		[400, '/health', { headers: { host: 'x/y' } }],
		[401, '/api/stores', {}],
		[401, '/api/auth/login', { method: 'POST', headers: json, body: login.replace('-password-', '-mistake-') }],
		[404, '/nowhere', {}],
		[404, '/api/stores/99', { headers: signedIn }],
		[405, '/health', { method: 'OPTIONS' }],
		[413, '/api/auth/login', { method: 'POST', headers: json, body: ' '.repeat(1_100_000) }],
		[500, '/api/stores', { headers: signedIn }],
	];
	const ids = new Set<string | null>();
	for (const [status, path, options] of answers) {
		if (status === 500) service.db.$client.run('alter table stores rename to elsewhere');
		const answer = await service.app.handle(new Request(`http://localhost${path}`, options));
		const headers = Object.fromEntries(answer.headers);
		expect({ path, status: answer.status, headers }).toMatchObject({ path, status, headers: securityHeaders });
		expect([path, headers['www-authenticate']]).toEqual([path, status === 401 ? 'Bearer' : undefined]);
		ids.add(answer.headers.get('x-request-id'));
	}
	expect(ids.size).toBe(answers.length);
});

test('a clock that is set breaks neither writes nor ids nor order, and only the present time ends a token', async () => {
	const service = await Service.start();
	const start = service.time.getTime();
	const token = service.superToken;
	const ids: Record<string, number[]> = { stores: [], employees: [] };
	for (const hours of [-1, 3, 0, -25, 48, 0]) {
		service.time = new Date(start + hours * 3_600_000);
		const { status } = await service.send('GET', '/api/auth/me', { token });
		expect([hours, status]).toEqual([hours, hours < 2 ? 200 : 401]);
		for (let round = 0; round < 2; round += 1) {
			const store = await service.addStore();
			const { id } = await service.addEmployee(store.id);
			ids.stores?.push(store.id);
			ids.employees?.push(id);
			expectStatus(await service.asSuper('PATCH', `/api/employees/${id}`, { remark: 'changed' }), 200);
		}
	}
	for (const [list, made] of Object.entries(ids)) {
		expect(made).toEqual(made.toSorted((a, b) => a - b));
		const { items } = await service.read(`/api/${list}?page=1&pageSize=100`);
		expect(items.map(({ id }: { id: number }) => id)).toEqual(made);
	}
});
