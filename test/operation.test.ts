/** The process that serves, as its operator and its network meet it: alone, stopped by a signal, over TLS, from a browser. */
import { Database } from 'bun:sqlite';
import { afterAll, afterEach, describe, expect, jest, mock, spyOn, test } from 'bun:test';
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
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { readConfig } from '../src/machine/config.ts';
import { dataFolderAt, lockFolder } from '../src/machine/data-folder.ts';
import { createLog } from '../src/machine/log.ts';
import { readTls } from '../src/server/certificate.ts';
import { createListener } from '../src/server/listen.ts';
import { scheduleBackups } from '../src/server/scheduled-backups.ts';
import { startService } from '../src/server/server.ts';
import { makeCertificate } from './certificate.ts';
import { Connection, wireTextOf } from './connection.ts';
import { Service } from './harness.ts';
import { failed, failToStart, mode, serveHere, startHere, stoppedFolder } from './installation.ts';
import {
	baseEnvironment,
	compiled,
	newFolder,
	Program,
	removeFolders,
	root,
	runToEnd,
	spawn,
	startAtTerminal,
} from './program.ts';
import { given, newInstallation, serve, withDatabase } from './server.ts';
import { noteUntested } from './untested.ts';
import { adminPassword, expectStatus } from './world.ts';

afterAll(removeFolders);
afterEach(() => mock.restore());

const command = compiled();

/** What the system or OpenSSL says, and no operator understands. */
const openSslWords = /\bE[A-Z]{3,}\b(?!_)|error:|OPENSSL|routines/;
const portOf = (program: Program) => new URL(program.url).port;
const open = (program: Program) => Connection.open(program.url);
const login = JSON.stringify({ username: 'admin', password: adminPassword });

const halfHead = 'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-';
const fullHead = `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${login.length}\r\n\r\n`;
const health = { method: 'GET', path: '/health' };

describe('one instance', () => {
	test('a second start on the same folder fails, by any path and without access.lock, which the first takes again, or stops', async () => {
		const folder = await newInstallation();
		const first = await serve({ DATA_DIR: folder });
		const lock = join(folder, 'access.lock');
		const link = join(newFolder(), 'link');
		symlinkSync(folder, link);
		const expectRefused = async (DATA_DIR: string) => {
			const ended = await failToStart({ DATA_DIR });
			expect(ended).toEqual(failed);
			expect(ended.stderr).toMatch(/^DATA_DIR=\S+ is in use by another process: /);
		};
		for (const path of [folder, link]) await expectRefused(path);
		for (let round = 0; round < 2; round += 1) {
			rmSync(lock, { force: true });
			await expectRefused(folder);
		}
		rmSync(lock, { force: true });
		while (!existsSync(lock)) await Bun.sleep(50);
		await expectRefused(folder);
		const token = await first.signIn('admin', adminPassword);
		expect((await first.send('POST', '/api/stores', { token, body: { name: '甲店' } })).status).toBe(201);
		const other = new Database(join(folder, 'other.lock'), { create: true });
		other.run('begin exclusive');
		renameSync(join(folder, 'other.lock'), lock);
		expect(await first.exited).toBe(1);
		other.close();
		expect(first.output).toContain('another process has taken the data folder; stopping');
	});

	test('a lock that another process has for a moment is taken again, and lost when it keeps it', () => {
		const folder = dataFolderAt(newFolder());
		using lock = lockFolder(folder);
		const takeAway = () => {
			rmSync(folder.lock);
			const other = new Database(folder.lock, { create: true });
			other.run('begin exclusive');
			return other;
		};
		const other = takeAway();
		expect(lock.isHeld()).toBe(true);
		other.close();
		rmSync(folder.lock);
		expect(lock.isHeld()).toBe(true);
		expect(() => lockFolder(folder)).toThrow('is in use by another process');
		const last = takeAway();
		expect([lock.isHeld(), lock.isHeld(), lock.isHeld()]).toEqual([true, false, false]);
		last.close();
	});

	test('exactly one of several starts at once succeeds', async () => {
		const folder = newFolder();
		const starts = await Promise.allSettled([1, 2, 3].map(() => serve({ DATA_DIR: folder })));
		const won = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
		expect(won).toHaveLength(1);
		const reasons = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
		for (const reason of reasons) expect(reason).toContain('is in use by another process');
		expect(await won[0]?.end()).toBe(0);
	});
});

test('a first start that cannot store the administrator fails, because nobody could ever sign in', async () => {
	// First comes the initial password of employees.
	spyOn(Bun.password, 'hash').mockResolvedValueOnce('a hash').mockRejectedValueOnce(new Error('no memory'));
	const started = startService({
		config: readConfig({ ...baseEnvironment, DATA_DIR: newFolder(), ...given }),
		log: createLog({ write() {} }, 'error'),
		user: 'tester',
		program: command,
		startsNew: false,
		onSecretsMade() {},
		onFatal() {},
	});
	await expect(started).rejects.toThrow('no memory');
});

// These wait, most of the time, for processes of their own: all at once.
test.concurrent.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
	'%s answers requests in flight, refuses new ones, and checkpoints the write-ahead log',
	async (signal) => {
		const folder = await newInstallation();
		const program = await serve({ DATA_DIR: folder });
		const idle = await open(program);
		await idle.ask(health);
		const slow = await open(program);
		slow.write(fullHead + login.slice(0, 10));
		const hashing = await open(program);
		hashing.write(fullHead + login);
		// Its answer shows that the requests before it have arrived too.
		await (await open(program)).ask(health);
		program.signal(signal);
		await program.wrote(/"message":"stopping"/);
		// A second signal changes nothing.
		program.signal(signal);
		await idle.closed;
		// `rejects` would hold up the tests beside this one.
		expect(await open(program).catch(() => 'refused')).toBe('refused' as never);
		slow.write(login.slice(10));
		for (const client of [slow, hashing]) {
			const answer = await client.answer();
			expect(answer?.status).toBe(200);
			expect(answer?.text).toContain('"token"');
			await client.closed;
		}
		expect(await program.end(signal)).toBe(0);
		expect(program.log.at(-1)).toMatchObject({ level: 'info', message: 'stopped' });
		// The two for their health, and the two who signed in.
		expect(program.log.filter(({ message }) => message === 'request')).toHaveLength(4);
		expect(readdirSync(folder).sort()).toEqual(stoppedFolder);
	},
);

test.concurrent('an uncaught error is logged, requests in flight are answered, and the process exits 1', async () => {
	const folder = await newInstallation();
	const preload = join(newFolder(), 'fail.ts');
	writeFileSync(preload, "process.on('SIGUSR2', () => { Promise.reject(new Error('an uncaught error')); });\n");
	const program = await serve({ DATA_DIR: folder, BUN_OPTIONS: `--preload ${preload}` });
	const slow = await open(program);
	slow.write(fullHead + login.slice(0, 10));
	await (await open(program)).ask(health);
	process.kill(program.pid, 'SIGUSR2');
	await program.wrote(/"message":"stopping"/);
	slow.write(login.slice(10));
	expect((await slow.answer())?.status).toBe(200);
	await slow.closed;
	expect(await program.exited).toBe(1);
	expect(program.log).toContainEqual(
		expect.objectContaining({ level: 'error', error: expect.stringContaining('an uncaught error') }),
	);
	expect(existsSync(join(folder, 'access.db-wal'))).toBe(false);
});

test.concurrent('a server goes on when the reader of its log has gone', async () => {
	const child = spawn({ command, environment: { ...given, DATA_DIR: await newInstallation() } });
	let output = '';
	for await (const chunk of child.stdout) {
		output += new TextDecoder().decode(chunk);
		if (output.includes('"listening"')) break;
	}
	const url = /"url":"([^"]+)"/.exec(output)?.[1];
	// Leaving the loop has closed the pipe.
	await askOften(url ?? '', 50);
	child.kill('SIGTERM');
	expect(await child.exited).toBe(0);
});

test.concurrent('a reader of the log that stalls does not hold up a stop; a bounded part of the log waits for it, and a line says how much was lost', async () => {
	const log = join(newFolder(), 'log');
	Bun.spawnSync(['mkfifo', log]);
	const reader = openSync(log, constants.O_RDONLY | constants.O_NONBLOCK);
	const writer = openSync(log, constants.O_WRONLY);
	const folder = await newInstallation();
	const child = Bun.spawn(command, { env: { ...baseEnvironment, ...given, DATA_DIR: folder }, stdout: writer });
	closeSync(writer);
	const chunk = Buffer.alloc(65_536);
	let output = '';
	const readUntil = async (text: string) => {
		while (!output.includes(text)) {
			await Bun.sleep(5);
			output += readAvailable(reader, chunk);
		}
	};
	await readUntil('"listening"');
	const url = /"url":"([^"]+)"/.exec(output)?.[1] ?? '';
	await askOften(url, 6600, { method: 'POST', path: '/api/employees/1/one-time-password' });
	await readUntil('log lines were lost');
	const [lost = '{}'] = /\{[^\n]*log lines were lost[^\n]*\}/.exec(output) ?? [];
	expect(JSON.parse(lost)).toMatchObject({ level: 'warn', count: expect.any(Number) });
	// A million characters, and what a pipe holds.
	expect(output.length).toBeLessThan(1_150_000);

	// More lines than a pipe holds.
	await askOften(url, 1000);
	child.kill('SIGTERM');
	expect(await child.exited).toBe(0);
	expect(readAvailable(reader, chunk)).not.toContain('"stopping"');
	expect(readdirSync(folder).sort()).toEqual(stoppedFolder);
	closeSync(reader);
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
	// systemd would kill it after ten.
	expect([Math.max(...slept) > 5000, slept.reduce((sum, time) => sum + time) < 9000]).toEqual([true, true]);
	expect(program.log).toContainEqual(expect.objectContaining({ message: 'closing connections that did not finish' }));
	for (const client of clients) await client.closed;
});

/** Asks a server for something, 50 times at once. */
async function askOften(url: string, times: number, request = health): Promise<void> {
	const connection = await Connection.open(url);
	for (let asked = 0; asked < times; asked += 50) {
		connection.write(wireTextOf(request).repeat(50));
		for (let answers = 0; answers < 50; answers += 1) expect(await connection.answer()).toBeDefined();
	}
	connection.close();
}

/** What is in a pipe now. */
function readAvailable(pipe: number, chunk: Buffer): string {
	try {
		return chunk.toString('utf8', 0, readSync(pipe, chunk));
	} catch {
		// Nothing is.
		return '';
	}
}

test.concurrent('a terminal that is paused holds up neither answers nor a stop', async () => {
	const folder = await newInstallation();
	const shown = await startAtTerminal({ ...given, DATA_DIR: folder });
	const { child, url } = shown;
	child.terminal?.write('\u0013');
	await askOften(url, 1000);
	// It shows only lines from before the pause.
	expect(shown.output.match(/ request /g)?.length ?? 0).toBeLessThan(1000);
	child.kill('SIGTERM');
	expect(await child.exited).toBe(0);
	expect(readdirSync(folder).sort()).toEqual(stoppedFolder);
});

test.concurrent('SIGHUP changes nothing for a server that nohup started', async () => {
	const program = await Program.start({
		command: ['nohup', ...command],
		environment: { ...given, DATA_DIR: await newInstallation() },
	});
	program.signal('SIGHUP');
	for (let round = 0; round < 3; round += 1) expect((await program.send('GET', '/health')).status).toBe(200);
	expect(await program.end()).toBe(0);
});

/** Whether a program is there; says in one line that a test is skipped without it. */
function has(tool: string): boolean {
	if (Bun.which(tool)) return true;
	noteUntested('the systemd unit', `there is no ${tool}`);
	return false;
}

describe('systemd', () => {
	/** Receives one datagram, as systemd does, and writes it with the process that sent it. */
	const receiver = `
import socket, struct, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1].replace('@', '\\0'))
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
receiver.settimeout(15)
sys.stderr.write('bound\\n')
message, [(_, _, sender)], *_ = receiver.recvmsg(100, 100)
print(message.decode(), struct.unpack('3i', sender)[0])`;

	test.each([
		['a path', () => join(newFolder(), 'notify'), serveHere],
		['an abstract name', () => `@access-test-${crypto.randomUUID()}`, serve],
	])('hears from the server itself that it is ready, at %s', async (_, name, start) => {
		if (!has('python3')) return;
		const NOTIFY_SOCKET = name();
		const python = Bun.spawn(['python3', '-c', receiver, NOTIFY_SOCKET], { stdout: 'pipe', stderr: 'pipe' });
		for await (const _ of python.stderr) break;
		const program = await start({ ...given, DATA_DIR: await newInstallation(), NOTIFY_SOCKET });
		expect(await python.stdout.text()).toBe(`READY=1 ${program.pid}\n`);
		expect(await program.end()).toBe(0);
		expect(program.log.filter(({ level }) => level === 'warn')).toEqual([]);
	});

	test('that does not listen costs a warning only', async () => {
		await using program = await serveHere({
			DATA_DIR: await newInstallation(),
			...given,
			NOTIFY_SOCKET: '/nowhere/notify',
		});
		await program.wrote(/"level":"warn","message":"systemd did not get the message.*NOTIFY_SOCKET=\/nowhere\/notify/);
		expect((await program.send('GET', '/health')).status).toBe(200);
	});

	/** The unit, with the program where it is here. */
	function unit(): string {
		const path = join(newFolder(), 'access.service');
		const text = readFileSync(join(root, 'src/commands/installer/access.service'), 'utf8');
		writeFileSync(path, text.replace('/usr/local/bin/access', command[0] ?? ''));
		return path;
	}

	test('waits until the service is ready, and finds the unit safe: an exposure of at most 3', () => {
		expect(readFileSync(unit(), 'utf8')).toContain('\nType=notify\n');
		if (!has('systemd-analyze')) return;
		const rating = ['security', '--offline=yes', '--threshold=30', '--no-pager'];
		const rated = Bun.spawnSync(['systemd-analyze', ...rating, unit()]);
		expect(rated.exitCode, rated.stdout.toString()).toBe(0);
	});
});

describe('scheduled backups', () => {
	const hours = 60 * 60;
	const finished = /"message":"(backed up|the automatic backup failed)".*\n/;
	const name = (day: number, prefix = 'automatic') => `${prefix}-202601${String(day).padStart(2, '0')}T000000Z.db`;

	/** A data folder with backups of the given names; the ages are in hours. */
	async function folderWith(ages: Record<string, number>): Promise<string> {
		const folder = await newInstallation();
		mkdirSync(join(folder, 'backups'), { mode: 0o700 });
		for (const [file, age] of Object.entries(ages)) {
			const path = join(folder, 'backups', file);
			writeFileSync(path, 'old', { mode: 0o600 });
			const time = Date.now() / 1000 - age * hours;
			utimesSync(path, time, time);
		}
		return folder;
	}

	test('the first one is made shortly after the first start, and has the administrator', async () => {
		const folder = newFolder();
		const program = await serveHere({ DATA_DIR: folder, ...given, BACKUP_EVERY_HOURS: '1' });
		await program.wrote(finished);
		const [file = '', ...others] = readdirSync(join(folder, 'backups'));
		expect(others).toEqual([]);
		expect(file).toMatch(/^automatic-\d{8}T\d{6}Z\.db$/);
		const path = join(folder, 'backups', file);
		expect(mode(path)).toBe('600');
		expect(program.log).toContainEqual(
			expect.objectContaining({ level: 'info', message: 'backed up', path, bytes: statSync(path).size }),
		);
		await program.end();
		expect(withDatabase(path, (database) => database.query('select username from administrators').values())).toEqual([
			['admin'],
		]);
	});

	test('one is made when the newest is older than the interval, not before', async () => {
		const settings = { ...given, BACKUP_EVERY_HOURS: '2' };
		const [fresh, stale] = [await folderWith({ [name(1)]: 1 }), await folderWith({ [name(1)]: 3 })];
		const early = await serveHere({ DATA_DIR: fresh, ...settings });
		const due = await serveHere({ DATA_DIR: stale, ...settings });
		// The one that is due started later: when it has finished, the other one would have.
		await due.wrote(finished);
		await Promise.all([early.end(), due.end()]);
		expect(readdirSync(join(fresh, 'backups'))).toEqual([name(1)]);
		expect(readdirSync(join(stale, 'backups'))).toHaveLength(2);
	});

	test('the oldest automatic ones are removed, and no other file', async () => {
		const mine = [name(1, 'backup'), name(1, 'before-upgrade-from-1'), 'notes.txt', 'automatic-mine.db'];
		const ages = Object.fromEntries([1, 2, 3, 4, 5].map((day) => [name(day), 100 - day]));
		const DATA_DIR = await folderWith({ ...ages, ...Object.fromEntries(mine.map((file) => [file, 1000])) });
		await using program = await serveHere({ DATA_DIR, ...given, BACKUP_EVERY_HOURS: '24', BACKUP_KEEP: '3' });
		await program.wrote(/"message":"removed old backups".*\n/);
		expect(program.log.at(-1)).toMatchObject({ removed: [name(1), name(2), name(3)] });
		const left = readdirSync(join(DATA_DIR, 'backups'));
		expect(left).toHaveLength(mine.length + 3);
		expect(left).toEqual(expect.arrayContaining([...mine, name(4), name(5)]));
	});

	test('one that fails is logged, and tried again every minute', async () => {
		const lines: string[] = [];
		const log = createLog({ write: (line) => lines.push(line) }, 'info');
		const DATA_DIR = newFolder();
		writeFileSync(join(DATA_DIR, 'backups'), 'a file where the folder should be');
		const error = `cannot use ${join(DATA_DIR, 'backups')}: a part of the path is a file and not a folder, check the path`;
		const config = readConfig({ ...baseEnvironment, DATA_DIR });
		jest.useFakeTimers();
		const stop = scheduleBackups({ config: { ...config, BACKUP_EVERY_HOURS: 1 }, program: [], log });
		try {
			for (const tries of [1, 2, 3]) {
				expect(lines).toHaveLength(tries);
				expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'error', error });
				jest.advanceTimersByTime(60_000);
			}
		} finally {
			stop();
			jest.useRealTimers();
		}
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
		await expect(fetch(`${program.url.replace('https', 'http')}/health`)).rejects.toThrow();
		expect(await subjectAt(portOf(program))).toBe('CN=localhost');
		use(renewed, files);
		await program.wrote(/"message":"the certificate was renewed".*\n/);
		expect(await subjectAt(portOf(program))).toBe('CN=renewed');
		expect((await program.request('/nowhere')).status).toBe(404);
		await program.wrote(/certificate was renewed(.|\n)*"message":"request".*\n/);
		expect(program.log.findLast(({ message }) => message === 'request').address).toBe('127.0.0.1');
	});

	/** A file of the test folder with this text. */
	function file(name: string, text: string): string {
		writeFileSync(join(folder, name), text);
		return join(folder, name);
	}

	/** The key of a certificate under a passphrase. */
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
		['a folder for the key', () => ({ TLS_KEY_FILE: folder }), 'is a folder, not a file'],
		['no key', () => ({ TLS_KEY_FILE: '' }), 'is not given, but TLS_CERT_FILE needs it'],
		['no certificate', () => ({ TLS_CERT_FILE: '' }), 'is not given, but TLS_KEY_FILE needs it'],
		['a damaged certificate in the chain', () => ({ TLS_CERT_FILE: chain() }), noCertificate],
	])('a start with %s fails, names the variable, and makes nothing', async (_, change, complaint) => {
		const changed = change();
		const DATA_DIR = newFolder();
		const ended = await failToStart({ ...base, ...changed, DATA_DIR });
		expect(ended).toEqual(failed);
		for (const variable of Object.keys(changed)) expect(ended.stderr).toContain(variable);
		expect(ended.stderr).toContain(complaint);
		expect(ended.stderr).not.toMatch(openSslWords);
		expect(readdirSync(DATA_DIR)).toEqual([]);
	});

	/** The subject of the certificate that a new connection gets. */
	async function subjectAt(port: string): Promise<string | undefined> {
		const asked = Bun.spawn(['openssl', 's_client', '-connect', `127.0.0.1:${port}`], {
			stdin: new Blob(['']),
			stdout: 'pipe',
			stderr: 'ignore',
		});
		return /^subject=(.*)$/m.exec(await asked.stdout.text())?.[1]?.replaceAll(' ', '');
	}

	const renewed = certificate('renewed', { subject: '/CN=renewed' });
	/** Copies the certificate and the key, or one of them. */
	function use(from: Partial<typeof base>, to: typeof base): void {
		if (from.TLS_CERT_FILE) copyFileSync(from.TLS_CERT_FILE, to.TLS_CERT_FILE);
		if (from.TLS_KEY_FILE) copyFileSync(from.TLS_KEY_FILE, to.TLS_KEY_FILE);
	}

	/** A listener in this process, what it logged, and what compares the files of its certificate with those in use. */
	function listenWith(files: typeof base) {
		const config = readConfig({ ...baseEnvironment, ...files });
		const said: string[] = [];
		const listener = createListener(config, readTls(config), createLog({ write: (line) => said.push(line) }, 'info'));
		using timers = spyOn(globalThis, 'setInterval');
		const { port } = listener.open(() => new Response('here'));
		return { listener, port, said, check: timers.mock.calls[0]?.[0] as () => void };
	}

	test('keeps the old certificate while the new one is unusable, and says why', async () => {
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
		await listener.close();
	});

	test.each(['a renewed certificate', 'the files of before'])(
		'is tried again with %s when the port could not be opened',
		async (which) => {
			const [files, before] = [certificate('early'), certificate('before')];
			use(files, before);
			const { listener, port, said, check } = listenWith(files);
			use(renewed, files);
			spyOn(Bun, 'serve').mockImplementationOnce(() => {
				throw new Error('taken');
			});
			check();
			if (which === 'the files of before') use(before, files);
			check();
			expect(said).toEqual([
				expect.stringContaining('cannot listen on HOST=127.0.0.1'),
				expect.stringContaining('the certificate was renewed'),
			]);
			const answer = await fetch(`https://127.0.0.1:${port}/`, { tls: { rejectUnauthorized: false } });
			expect(await answer.text()).toBe('here');
			await listener.close();
		},
	);

	test.each([
		['RSA key exchange', '-tls1_2', 'AES128-GCM-SHA256', false],
		['CBC', '-tls1_2', 'ECDHE-RSA-AES128-SHA', false],
		['forward secrecy in TLS 1.2', '-tls1_2', 'ECDHE-RSA-AES128-GCM-SHA256', true],
		['TLS 1.1', '-tls1_1', 'DEFAULT@SECLEVEL=0', false],
		['TLS 1.3', '-tls1_3', 'DEFAULT', true],
	])('%s: a client that offers %s %s only is accepted: %p', async (_, protocol, cipher, accepted) => {
		rsa ??= listenWith(certificate('rsa', { kind: ['rsa:2048'] }));
		const client = [protocol, '-cipher', cipher, '-connect', `127.0.0.1:${rsa.port}`];
		const asked = Bun.spawn(['openssl', 's_client', ...client], { stdin: new Blob(['']), stderr: 'ignore' });
		expect(/Cipher is (?!\(NONE\))/.test(await asked.stdout.text())).toBe(accepted);
	});

	let rsa: ReturnType<typeof listenWith> | undefined;
	afterAll(() => rsa?.listener.close());

	test('warns of a private key that others can read', async () => {
		chmodSync(base.TLS_KEY_FILE, 0o644);
		const message = expect.stringContaining('can read the private key');
		// And not of a network without TLS.
		const environment = { DATA_DIR: await newInstallation(), ...given, ...base, HOST: '0.0.0.0' };
		expect(warnings(await startHere(environment))).toEqual([
			expect.objectContaining({ message, file: base.TLS_KEY_FILE }),
		]);
	});
});

describe('listening without TLS', () => {
	const hasIPv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'));
	const open = ['0.0.0.0', ...(hasIPv6 ? ['::'] : [])];
	const closed = ['127.0.0.1', 'localhost', ...(hasIPv6 ? ['::1'] : [])];

	test.each([...open, ...closed])('on %s logs a warning if others can reach it', async (HOST) => {
		const log = await startHere({ DATA_DIR: await newInstallation(), ...given, HOST });
		const warning = expect.objectContaining({ message: expect.stringContaining('without TLS'), host: HOST });
		expect(warnings(log)).toEqual(open.includes(HOST) ? [warning] : []);
	});

	const isTaken = 'another program listens there, stop it or choose another PORT';
	const notOurs = 'HOST is not an address of this machine, choose one that is, or 0.0.0.0 for all';
	test.each([
		['192.0.2.1', '0', notOurs],
		['fe80::1', '0', notOurs],
		['::::', '0', notOurs],
		['nowhere.invalid', '0', notOurs],
		['nowhere.invalid', '31999', `${notOurs}; or ${isTaken}`],
		['127.0.0.1', 'taken', isTaken],
	])('on %s, port %s, fails in one line that says what to change', async (HOST, port, problem) => {
		await using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
		const PORT = port === 'taken' ? String(other.port) : port;
		const stderr = `cannot listen on HOST=${HOST} PORT=${PORT}: ${problem}\n`;
		const ended = await failToStart({ DATA_DIR: await newInstallation(), ...given, HOST, PORT });
		expect(ended).toEqual({ code: 1, stdout: '', stderr });
	});

	const firstFreePort = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
	const isLimited = existsSync(firstFreePort) && Number(readFileSync(firstFreePort, 'utf8')) > 443;
	test.skipIf(process.getuid?.() !== 0 || !isLimited)('on port 443 says who may not, and the setting', async () => {
		const DATA_DIR = await newInstallation(join(newFolder(), 'data'));
		expect(Bun.spawnSync(['chown', '-R', 'daemon', DATA_DIR]).success).toBe(true);
		chmodSync(dirname(DATA_DIR), 0o755);
		const asDaemon = ['setpriv', '--reuid=1', '--regid=1', '--clear-groups', ...command];
		const ended = await runToEnd({ command: asDaemon, environment: { ...given, DATA_DIR, PORT: '443' } });
		expect(ended).toEqual(failed);
		expect(ended.stderr).toBe(
			'cannot listen on HOST=127.0.0.1 PORT=443: daemon may not use port 443, choose a PORT from 1024 on, or give the unit AmbientCapabilities=CAP_NET_BIND_SERVICE\n',
		);
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
		[404, '/health', { method: 'OPTIONS' }],
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
		service.superToken = service.sign('SUPER_ADMIN:1', 1);
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
		const { items } = expectStatus(await service.asSuper('GET', `/api/${list}?page=1&pageSize=100`), 200);
		expect(items.map(({ id }: { id: number }) => id)).toEqual(made);
	}
});
