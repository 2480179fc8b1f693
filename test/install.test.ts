/** `access install`, `recover` and `uninstall` on a machine in a folder, with a service manager that starts processes. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { install, uninstall } from '../src/commands/install.ts';
import { createUnits, type Places, placesBelow, planInstallation, runPlan } from '../src/commands/installer/install.ts';
import { tryPlace } from '../src/commands/installer/preflight.ts';
import { run, type ServiceManager } from '../src/commands/installer/service-manager.ts';
import type { ProcessContext } from '../src/commands/process.ts';
import { readSchemaVersion } from '../src/platform/database/open.ts';
import { type Config, readConfig } from '../src/platform/machine/config.ts';
import { backOfficeUrl, findHealthStatus } from '../src/platform/machine/local-service.ts';
import { OperationError } from '../src/platform/vocabulary/errors.ts';
import { makeCertificate } from './certificate.ts';
import { sealCheaply } from './cheap-sealing.ts';
import { someOf } from './full.ts';
import { hanging } from './hanging.ts';
import { type Answer, exchange } from './http.ts';
import { failed, mode, namesIn } from './installation.ts';
import {
	compiled,
	type Ended,
	endPrograms,
	freePort,
	newFolder,
	removeFolders,
	root,
	runToEnd,
	spawn,
} from './program.ts';
import { isRoot } from './root.ts';
import { contextHere, copyHere, runHere } from './run-here.ts';
import { given, newInstallation, serve, withDatabase } from './server.ts';
import { smallDiskFor } from './small-disk.ts';
import { noteUntested } from './untested.ts';
import { adminPassword, expectStatus } from './world.ts';

setDefaultTimeout(hanging);

const [binary = ''] = compiled();
afterAll(sealCheaply());
if (!isRoot) noteUntested('the installation', 'this is not root');

/** The user of the service. */
const id = 65_534;

/** Makes a small program that first runs the shell steps for a command, and then runs the real program. */
function smallProgram(before: Record<string, string> = {}): string {
	const path = join(newFolder(), 'access');
	const cases = Object.entries(before).map(([command, does]) => `${command}) ${does} ;;\n`);
	writeFileSync(path, `#!/bin/sh\ncase "\${1:-serve}" in\n${cases.join('')}esac\nexec ${binary} "$@"\n`);
	chmodSync(path, 0o755);
	return path;
}

const small = smallProgram();

const readInstalledConfig = ({ settings }: Places) => readConfig({ SETTINGS_FILE: settings });

/** A machine without an installation. */
function newMachine() {
	const root = newFolder();
	for (const folder of ['', 'etc', 'var', 'var/lib']) {
		mkdirSync(join(root, folder), { recursive: true });
		// Concurrent commands in this process make new files private.
		chmodSync(join(root, folder), 0o755);
	}
	const places = placesBelow(root);
	const service = {
		child: undefined as ReturnType<typeof spawn> | undefined,
		log: '',
		enabled: new Set<string>(),
		running: new Set<string>(),
		stopped: [] as string[],
		startedAt: 0,
		/** The units at the last reload. */
		known: [] as string[],
	};
	const manager: ServiceManager = {
		isThere: () => true,
		async makeUser() {
			for (const kind of ['passwd', 'group'])
				writeFileSync(join(root, 'etc', kind), `root:x:0:0\naccess:x:${id}:${id}\n`);
			return '';
		},
		async start(unit) {
			await manager.reload();
			service.enabled.add(unit);
			service.running.add(unit);
			if (!unit.endsWith('.service')) return;
			if (!existsSync(places.data)) mkdirSync(places.data, { mode: 0o700 });
			chownSync(places.data, id, id);
			const environment = { SETTINGS_FILE: places.settings, HOST: '', PORT: '' };
			const child = spawn({ command: [places.program], environment });
			Object.assign(service, { child, log: '', startedAt: Date.now() });
			for (const output of [child.stdout, child.stderr]) {
				void (async () => {
					for await (const bytes of output) service.log += new TextDecoder().decode(bytes);
				})();
			}
		},
		async stop(unit) {
			service.stopped.push(unit);
			service.running.delete(unit);
			if (!unit.endsWith('.service')) return '';
			service.child?.kill('SIGTERM');
			await service.child?.exited;
			return '';
		},
		async disable(unit) {
			service.enabled.delete(unit);
			return await manager.stop(unit);
		},
		async reload() {
			service.known = existsSync(places.units) ? readdirSync(places.units) : [];
		},
		hasEnded: async () => service.child?.exitCode !== null,
		startedAt: async () => service.startedAt,
		logSince: async () => service.log,
	};
	return { places, manager, service, data: places.data };
}

type Machine = ReturnType<typeof newMachine>;

async function ended(work: (context: ProcessContext) => Promise<void>, more: Partial<ProcessContext> = {}) {
	const result: Ended = { code: 0, stdout: '', stderr: '' };
	const machine = { userId: 0, program: [small] };
	try {
		await work(contextHere(result, {}, '', { ...machine, ...more }));
	} catch (error) {
		if (!(error instanceof OperationError)) throw error;
		Object.assign(result, { code: 1, stderr: `${result.stderr}${error.message}\n` });
	}
	return result;
}

type Options = Partial<Parameters<typeof install>[1]>;

function installOn(machine: Machine, options: Options = {}, more: Partial<ProcessContext> = {}): Promise<Ended> {
	return ended((context) => install(context, { wait: 30, ...options }, machine), more);
}

const filesOf = ({ places: { root } }: Machine) =>
	readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => !entry.isDirectory())
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length))
		.filter((path) => !path.startsWith('/var/lib/access/'))
		.sort();

const units = createUnits({ DATA_DIR: '/data', BACKUP_TO: '/mnt/a 100%' });

/** The files of a machine before the first installation, and of the service's user. */
const bare = ['/etc/group', '/etc/passwd'];
const complete = [
	'/etc/access.conf',
	...bare,
	...Object.keys(units).map((name) => `/usr/local/lib/systemd/system/${name}`),
	'/usr/local/bin/access',
].sort();

/** A running installation, with a store and the given settings. */
async function serving(options: Options = {}, machine = newMachine()): Promise<Machine> {
	await newInstallation(machine.data);
	for (const name of ['', ...readdirSync(machine.data)]) chownSync(join(machine.data, name), id, id);
	chmodSync(machine.data, 0o700);
	expect(await installOn(machine, { PORT: freePort(), ...options })).toMatchObject({ code: 0 });
	return machine;
}

afterEach(endPrograms);
afterAll(removeFolders);

function call(machine: Machine, path: string, body: object, token?: string): Promise<Answer> {
	const url = `http://127.0.0.1:${readInstalledConfig(machine.places).PORT}${path}`;
	return exchange((init) => fetch(url, init), 'POST', { token, body });
}

const stores = ({ data }: Machine) => namesIn(join(data, 'access.db'));

const wrongUses: [what: string, context: Partial<ProcessContext>, options: Options, says: RegExp][] = [
	['another user', { userId: 1000 }, {}, /^only root can do this: run it with sudo\n$/],
	['the source', { program: ['bun', 'main.ts'] }, {}, /^only the built program can be installed: run bun run build/],
	['a wrong port', {}, { PORT: 'x' }, /^PORT is "x", but takes a port number/],
	['a port that changes', {}, { PORT: '0' }, /^PORT is 0, another port after each start: choose one\n$/],
	['half a certificate', {}, { TLS_CERT_FILE: '/c.pem' }, /^TLS_KEY_FILE is not given/],
	['no certificate', {}, { TLS_CERT_FILE: '/c.pem', TLS_KEY_FILE: '/k.pem' }, /^TLS_CERT_FILE: cannot use \/c\.pem/],
	['no key', {}, { BACKUP_KEY_FILE: '/nope' }, /^BACKUP_KEY_FILE: cannot use \/nope/],
	[
		'a relative path',
		{},
		{ TLS_CERT_FILE: 'c.pem' },
		/^TLS_CERT_FILE is "c\.pem" in \S+\/etc\/access\.conf, but takes a path/,
	],
	[
		'a backslash',
		{},
		{ ALERT_COMMAND: 'a\\b' },
		/^ALERT_COMMAND has a backslash, a line break or both kinds of quotes: leave/,
	],
	['no place', {}, { BACKUP_TO: '/nowhere' }, /^cannot use \/nowhere/],
	['nothing to recover', {}, { from: '/nowhere' }, /^cannot use \/nowhere/],
	['an empty place to recover from', {}, { from: '' }, /^cannot use : it or its folder is not there/],
];
test.each(wrongUses)('a wrong use is one line, and nothing is written: %s', async (_what, context, options, says) => {
	const machine = newMachine();
	const stderr = expect.stringMatching(says);
	expect(await installOn(machine, options, context)).toEqual({ ...failed, stderr });
	expect(filesOf(machine)).toEqual([]);
});

/** Sets the folder for temporary files until it is disposed. */
function temporaryFilesIn(folder: string): Disposable {
	const { TMPDIR } = process.env;
	process.env.TMPDIR = folder;
	return {
		[Symbol.dispose]() {
			if (TMPDIR === undefined) delete process.env.TMPDIR;
			else process.env.TMPDIR = TMPDIR;
		},
	};
}

test('the settings are nowhere in a file while their place is tried: a stop would leave them there', async () => {
	const found: string[][] = [];
	using place = Bun.serve({
		hostname: '127.0.0.1',
		port: 0,
		fetch() {
			found.push(readdirSync(tmpdir()));
			return new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 });
		},
	});
	const environment = { S3_ENDPOINT: place.url.origin, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
	const machine = newMachine();
	using _temporary = temporaryFilesIn(newFolder());
	const { stderr } = await installOn(machine, { BACKUP_TO: 's3://b/p' }, { environment });
	expect(stderr).toBe('cannot use s3://b/p: the key may not do this, check its rights\n');
	expect(found).toEqual([[]]);
});

test.each([
	['var/lib/access/..copies', /\/\.\.copies is in DATA_DIR and is lost with it/],
	['var/lib/access/backups', /\/backups is in DATA_DIR and is lost with it: set BACKUP_TO to a place on another/],
	[
		'home/copies',
		/\/home\/copies is in \S+\/home, which the service cannot see: choose another, such as \/mnt\/copies\n$/,
	],
	['var/tmp', /\/var\/tmp is in \S+\/var\/tmp, which the service cannot see/],
])('a place of copies that gets none is refused, also by a link: %s', async (folder, says) => {
	const machine = newMachine();
	const BACKUP_TO = join(machine.places.root, folder);
	mkdirSync(BACKUP_TO, { recursive: true });
	const link = join(newFolder(), 'link');
	symlinkSync(BACKUP_TO, link);
	const stderr = expect.stringMatching(says);
	for (const place of [BACKUP_TO, link])
		expect(await installOn(machine, { BACKUP_TO: place })).toEqual({ ...failed, stderr });
	expect(filesOf(machine)).toEqual([]);
});

test('a place of copies that does not answer is tried for a while only', async () => {
	const BACKUP_TO = newFolder();
	using _dead = spyOn(files, 'stat').mockReturnValue(Promise.withResolvers<never>().promise);
	const tried = tryPlace({ uid: id, gid: id }, readConfig({ SETTINGS_FILE: '/dev/null', BACKUP_TO }), 50);
	const says = `cannot use ${BACKUP_TO}: it did nothing for 0.05 seconds, mount it again`;
	expect(await tried.catch(String)).toContain(says);
});

test('a machine without systemd is refused', async () => {
	const machine = newMachine();
	machine.manager.isThere = () => false;
	expect((await installOn(machine)).stderr).toMatch(/^this machine does not run systemd: run access serve/);
});

test('a command of the machine that fails is named with all that it said, such as where to look', async () => {
	const ended = run(['sh', '-c', 'echo "Job failed." >&2; echo "See its log." >&2; exit 1']);
	expect(await ended.catch(String)).toMatch(/Error: sh -c .* failed: Job failed\. See its log\.$/);
});

test('a command of the machine has a process group of its own: Ctrl+C never reaches a rollback', async () => {
	const [id, group] = (await run(['sh', '-c', 'echo $$ $(ps -o pgid= -p $$)'])).split(' ');
	expect(group).toBe(id);
});

test('a command that Ctrl+C reached before it had its group is run again', async () => {
	const begun = join(newFolder(), 'begun');
	const again = await run(['sh', '-c', `[ -e ${begun} ] && echo again && exit; touch ${begun}; kill -INT $$`]);
	expect(again).toBe('again');
});

describe.skipIf(!isRoot)('an installation', () => {
	test('keeps a place of copies that it had before, whatever else changes', async () => {
		const machine = await serving();
		const { root, settings } = machine.places;
		const BACKUP_TO = join(root, 'home/copies');
		mkdirSync(BACKUP_TO, { recursive: true });
		chownSync(BACKUP_TO, id, id);
		writeFileSync(settings, `${readFileSync(settings, 'utf8')}BACKUP_TO=${BACKUP_TO}\n`);
		expect(await installOn(machine, { PORT: freePort(), dryRun: true })).toMatchObject({ code: 0 });
	});

	test('has the program, the user, private settings and units that serve; again there is nothing to do', async () => {
		const machine = newMachine();
		const PORT = freePort();
		const wanted = await installOn(machine, { PORT, dryRun: true });
		expect(wanted.stdout).toMatch(/^would make the user access\n(would write \S+\n){5}would start the service\n$/);
		expect(filesOf(machine)).toEqual([]);
		const made = await installOn(machine, { PORT });
		expect(made.code).toBe(0);
		expect(made.stdout).toMatch(
			/^It serves at .*\nSign in as admin with the password in .*secrets\.json\nAll backups stay on this machine: /,
		);
		expect(filesOf(machine)).toEqual(complete);
		const { settings, program } = machine.places;
		expect([settings, program].map(mode)).toEqual(['640', '755']);
		expect(statSync(settings)).toMatchObject({ uid: 0, gid: id });
		expect((await installOn(machine)).stdout).toBe('everything is installed already\n');
		writeFileSync(settings, `${readFileSync(settings, 'utf8')}BACKUP_KEEP=9\n`);
		expect(await installOn(machine)).toMatchObject({ code: 0, stderr: 'stop the service\nstart the service\n' });
		expect((await installOn(machine)).stdout).toBe('everything is installed already\n');
		expect(machine.service.enabled).toEqual(new Set(['access.service', 'access-watch.timer']));
		const command = [binary, 'admin', 'rename', 'owner'];
		expect(await runToEnd({ command, environment: { DATA_DIR: machine.data } })).toMatchObject({ code: 0 });
		const changed = await installOn(machine, { CHAIN_NAME: '甲' });
		expect(changed.stdout).toContain('\nSign in as owner with the password in ');
	});

	test('takes no program for its own without its unit', async () => {
		const machine = newMachine();
		const { program } = machine.places;
		mkdirSync(dirname(program), { recursive: true });
		writeFileSync(program, 'of somebody else');
		const refused = { ...failed, stderr: `${program} is not of an installation: move it away, then try again\n` };
		expect(await installOn(machine, { dryRun: true })).toEqual(refused);
		expect(filesOf(machine)).toEqual(['/usr/local/bin/access']);
		expect(readFileSync(program, 'utf8')).toBe('of somebody else');
	});

	test('needs a data folder of prepared settings: its disk may not be mounted', async () => {
		const machine = newMachine();
		const { root, settings } = machine.places;
		const data = join(root, 'srv/my data');
		writeFileSync(settings, `DATA_DIR=${data}\n`);
		const refused = `there is no folder ${data}: mount its disk, or make it with install -d -m 700 -o access "${data}"\n`;
		for (const [dryRun, before] of [
			[true, ''],
			[false, 'make the user access\n'],
		] as const)
			expect(await installOn(machine, { dryRun })).toEqual({ ...failed, stderr: before + refused });
		expect(filesOf(machine)).toEqual(['/etc/access.conf', ...bare].sort());
	});

	test('needs no data folder that the service makes inside the usual one', async () => {
		const machine = newMachine();
		const { data, settings } = machine.places;
		writeFileSync(settings, `DATA_DIR=${data}/chain\n`);
		const { code, stdout } = await installOn(machine, { dryRun: true });
		expect([code, stdout]).toEqual([0, expect.stringMatching(/would start the service\n$/)]);
	});

	test('over prepared settings adds the first ones that they lack, and none to those of an earlier service', async () => {
		const machine = newMachine();
		const { data, places } = machine;
		const PORT = freePort();
		writeFileSync(places.settings, `HOST=localhost\nDATA_DIR=\nPORT=${PORT}`);
		expect(await installOn(machine)).toMatchObject({ code: 0 });
		const first = { DATA_DIR: data, HOST: 'localhost', PORT: Number(PORT), REQUIRE_OWN_PASSWORD: 'on' };
		expect(readInstalledConfig(places)).toMatchObject(first);
		writeFileSync(places.settings, `HOST=localhost\nDATA_DIR=${data}\nPORT=${PORT}`);
		// With a unit, a missing database is one whose disk is not mounted.
		renameSync(join(data, 'access.db'), join(data, 'away.db'));
		expect((await installOn(machine, { dryRun: true })).stdout).toBe(
			'would stop the service\nwould start the service\n',
		);
		renameSync(join(data, 'away.db'), join(data, 'access.db'));
		await ended((context) => uninstall(context, machine));
		expect(await installOn(machine)).toMatchObject({ code: 0 });
		expect(readInstalledConfig(places)).toMatchObject({ ...first, REQUIRE_OWN_PASSWORD: 'off' });
	});

	test('makes the user also where a group has its name already', async () => {
		const machine = newMachine();
		writeFileSync(join(machine.places.root, 'etc/group'), `access:x:${id}:\n`);
		expect((await installOn(machine, { dryRun: true })).stdout).toStartWith('would make the user access\n');
	});

	test('asks at a terminal, and again after a wrong answer', async () => {
		const machine = newMachine();
		const given = { Port: ['x', freePort()], Certificate: ['/nope.pem', ''], Command: ['true'] };
		const answers: Record<string, string[]> = given;
		const asked: string[] = [];
		const ask = (question: string, byDefault: string) => {
			asked.push(question);
			return answers[/^\w+/.exec(question)?.[0] ?? '']?.shift() ?? byDefault;
		};
		const { code, stderr } = await installOn(machine, {}, { isTerminal: true, ask });
		expect(code).toBe(0);
		expect(stderr).toMatch(/^PORT is "x", but takes a port .*\nTLS_CERT_FILE: there is no file \/nope\.pem\nmake/);
		expect(stderr).toEndWith('send a test message\n');
		expect(asked.filter((question) => /^(Port|Certificate)/.test(question))).toHaveLength(4);
		expect(asked.filter((question) => /key/.test(question))).toEqual([]);
	});

	test('that fails leaves nothing that stops the next try', async () => {
		const machine = newMachine();
		using taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('', { status: 404 }) });
		const failed = await installOn(machine, { PORT: String(taken.port) });
		expect(failed.stderr).toMatch(/\nthe installation was rolled back: .* its log says: cannot listen on .*\n$/);
		expect(filesOf(machine)).toEqual(bare);
		expect(machine.service.enabled).toEqual(new Set());
		const PORT = freePort();
		expect(await installOn(machine, { PORT })).toMatchObject({ stdout: expect.stringContaining('with the password') });
		expect(readInstalledConfig(machine.places).PORT).toBe(Number(PORT));
	});

	test('over data that root copied here names the right owner', async () => {
		const machine = newMachine();
		await newInstallation(machine.data);
		const { stderr } = await installOn(machine, { PORT: freePort() });
		const whose = '(it belongs to root, this runs as nobody)';
		const remedy = 'change the owner or mode with chown or chmod';
		expect(stderr).toBe(`make the user access\ncannot use ${machine.data}: permission denied ${whose}: ${remedy}\n`);
	});

	test.each([
		['', 0],
		['exit 1', 1],
	])(
		'over data of an older version backs it up before it migrates, and keeps the backup: serve %s',
		async (serve, code) => {
			const machine = newMachine();
			mkdirSync(machine.data, { mode: 0o700 });
			const database = join(machine.data, 'access.db');
			writeFileSync(database, gunzipSync(readFileSync(join(root, 'test/fixtures/release-1.5.0.db.gz'))));
			for (const path of [machine.data, database]) chownSync(path, id, id);
			const program = [smallProgram({ serve })];
			const { stderr, ...ended } = await installOn(machine, { PORT: freePort() }, { program });
			expect(ended.code).toBe(code);
			expect(stderr).toMatch(/\nback up to (\S+)\n(.*\n)+migrate the database\n/);
			const [, backup = ''] = /\nback up to (\S+)/.exec(stderr) ?? [];
			expect(readSchemaVersion(backup)).toBeLessThan(readSchemaVersion(database));
		},
	);

	test('finds data for which prepared settings name no folder', async () => {
		const machine = newMachine();
		const { places, data, manager } = machine;
		const folder = join(data, 'data');
		await newInstallation(folder);
		withDatabase(join(folder, 'access.db'), (database) => database.run('pragma user_version = 99'));
		for (const path of [data, folder, join(folder, 'access.db')]) chownSync(path, id, id);
		writeFileSync(places.settings, '');
		await manager.makeUser('access');
		const { stderr } = await installOn(machine, { dryRun: true });
		expect(stderr).toStartWith(`${folder}/access.db has schema 99, but this program knows`);
	});

	test('that was killed after any step is finished by the next one, of any version, whose options win', async () => {
		for (const done of someOf([0, 1, 2, 3, 4, 5, 6], (step) => step % 3 === 1)) {
			const machine = newMachine();
			const { places, data } = machine;
			const settings = `DATA_DIR=${data}\nPORT=1\n LOG_LEVEL = warn`;
			const config = readConfig({ SETTINGS_FILE: '/dev/null', DATA_DIR: data });
			const wanted = { program: small, settings, config, sendsTest: false, patience: 1 };
			const plan = await planInstallation({ ...machine, ...wanted });
			await runPlan({ ...plan, steps: plan.steps.slice(0, done) }, { report() {} });
			const PORT = freePort();
			const other = { program: [smallProgram({ x: '' })] };
			const { stdout } = await installOn(machine, { PORT, CHAIN_NAME: '甲' }, other);
			expect(stdout).toMatch(
				/^It serves at .*\nSign in as admin with the password in .*\nAll backups stay on this machine: /,
			);
			expect(filesOf(machine)).toEqual(complete);
			const level = done < 2 ? 'info' : 'warn';
			expect(readInstalledConfig(places)).toMatchObject({ PORT: Number(PORT), CHAIN_NAME: '甲', LOG_LEVEL: level });
		}
	});
});

describe.skipIf(!isRoot)('an upgrade', () => {
	test('comes after a backup, keeps what a person changed, and says where it serves', async () => {
		const machine = await serving();
		const { places, data } = machine;
		writeFileSync(places.settings, `${readFileSync(places.settings, 'utf8')}# mine\nLOG_LEVEL=warn\n`);
		const newer = smallProgram({ migrate: 'id -ru >&2; for n in 1 2; do echo "indexing $n" >&2; done' });
		const { code, stderr } = await installOn(machine, {}, { program: [newer] });
		const migrating = 'open the database with this program\n65534\nindexing 1\nindexing 2\nstart the service\n';
		expect(stderr).toMatch(/^stop the service\nback up to .*\ncopying(.*\n)+write .*\nopen /);
		expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(migrating) });
		expect(readFileSync(places.program)).toEqual(readFileSync(newer));
		expect(readdirSync(join(data, 'backups'))).toContainEqual(expect.stringMatching(/^before-upgrade-\d.*\.db$/));
		expect(statSync(join(data, 'backups')).uid).toBe(id);
		expect(readFileSync(places.settings, 'utf8')).toEndWith('# mine\nLOG_LEVEL=warn\n');
		// The watch keeps running, to report a killed installer.
		expect(machine.service.stopped).toEqual(['access.service']);
		const again = { stdout: 'everything is installed already\n', stderr: '' };
		expect(await installOn(machine, {}, { program: [newer] })).toMatchObject(again);
		const config = readInstalledConfig(places);
		expect(backOfficeUrl({ ...config, HOST: '0.0.0.0' }, 'till')).toBe(`http://till:${config.PORT}/back-office/`);
	});

	const spoiling = [
		'const { Database } = require("bun:sqlite");',
		'const db = new Database(process.argv[1]);',
		'db.run("pragma user_version = 99");',
		'db.run("delete from stores")',
	];
	const spoil = `BUN_BE_BUN=1 ${binary} -e '${spoiling.join(' ')}'`;
	type Failure = [what: string, before: (data: string) => Record<string, string>, says: RegExp, wait: number];
	const failures: Failure[] = [
		[
			'the database was changed, and the start fails',
			(data) => ({ migrate: `${spoil} ${data}/access.db; exit 0`, serve: 'echo "{\\"message\\":\\"new\\"}"; exit 1' }),
			/again: the service ended; its log says: new\n$/,
			30,
		],
		[
			// While it makes progress, a migration may exceed the time limit.
			'the migration fails late',
			() => ({ migrate: 'for n in 1 2 3 4 5 6; do echo $n >&2; sleep 1; done; echo no room >&2; exit 1' }),
			/again: no room\n$/,
			5,
		],
		['the migration does nothing', () => ({ migrate: 'exec sleep 60' }), /again: it did nothing for 5 seconds\n$/, 5],
		[
			'the service does not answer',
			() => ({ serve: 'echo slow; exec sleep 60' }),
			/does not answer at .*says: slow\n$/,
			5,
		],
	];
	const tried = someOf(failures, (_, index) => index === 0);
	test.each(tried)('that fails is rolled back and loses no write: %s', async (_, before, says, wait) => {
		const machine = await serving();
		const { places, data } = machine;
		for (const unit of Object.keys(units)) writeFileSync(join(places.units, unit), 'of the old program\n');
		rmSync(join(places.units, 'access-watch.timer'));
		machine.service.enabled.delete('access-watch.timer');
		const files = filesOf(machine);
		const administrator = { username: 'admin', password: adminPassword };
		const { token } = expectStatus(await call(machine, '/api/auth/login', administrator), 200);
		const [acknowledged, isDone]: [string[], { at?: number }] = [[], {}];
		const write = async (writer: number) => {
			for (let count = 0; isDone.at === undefined; count += 1) {
				const name = `${writer}号 ${count}`;
				const answer = await call(machine, '/api/stores', { name }, token).catch(() => undefined);
				if (answer?.status === 201) acknowledged.push(name);
				await Bun.sleep(50);
			}
		};
		const writing = [1, 2, 3, 4].map(write);
		while (acknowledged.length < 20) await Bun.sleep(1);
		const program = smallProgram(before(data));
		const options = { wait, ALERT_COMMAND: 'true' };
		const { code, stderr } = await installOn(machine, options, { program: [program] });
		isDone.at = Date.now();
		await Promise.all(writing);
		expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
		expect(stderr).toMatch(/\nthe upgrade was rolled back, the old program serves again: .*\n$/);
		expect(stores(machine)).toEqual(expect.arrayContaining(acknowledged));
		expect(await findHealthStatus(readInstalledConfig(places))).toBe(200);
		expect(machine.service.enabled).toEqual(new Set(['access.service']));
		// The files of the new program are gone.
		expect(filesOf(machine)).toEqual(files);
		expect(readFileSync(places.program)).toEqual(readFileSync(small));
		expect(readFileSync(join(places.units, 'access.service'), 'utf8')).toBe('of the old program\n');
		expect(readInstalledConfig(places).ALERT_COMMAND).toBeUndefined();
		// A failed upgrade's backup is removed, to keep earlier good ones.
		expect(readdirSync(join(data, 'backups'))).toEqual([]);
	});

	/** The case, what happens before, the steps of the old and of the new program, and the refusal. */
	type Rollback = [
		what: string,
		before: (machine: Machine, config: Config) => Promise<void>,
		old: Record<string, string>,
		program: Record<string, string>,
		says: RegExp,
	];
	async function nothing(): Promise<void> {}
	async function breakDatabase({ data }: Machine, config: Config): Promise<void> {
		rmSync(join(data, 'access.db-wal'));
		while ((await findHealthStatus(config)) === 200) await Bun.sleep(50);
	}
	test.each<Rollback>([
		[
			'its backup fails, of a database that no check finds sound',
			nothing,
			{ backup: 'echo no room >&2; exit 1', check: 'exit 1' },
			{ x: '' },
			/ rolled back, the old program serves again: no room\n$/,
		],
		[
			'the way back fails in a part',
			nothing,
			{ check: 'exit 1', restore: 'echo no room >&2; exit 1' },
			{ migrate: 'echo no >&2; exit 1' },
			/\nno; and the rollback failed: .*no room\n$/,
		],
		['it answered 503 before', breakDatabase, {}, { migrate: 'echo no >&2; exit 1' }, / rolled back: no\n$/],
	])('leaves the old program serving when %s', async (_what, before, old, program, says) => {
		const machine = await serving();
		const config = readInstalledConfig(machine.places);
		rmSync(machine.places.program);
		cpSync(smallProgram(old), machine.places.program);
		await before(machine, config);
		const ended = await installOn(machine, {}, { program: [smallProgram(program)] });
		expect(ended.stderr).toMatch(says);
		expect(await findHealthStatus(config)).toBe(200);
	});

	test('that is rolled back leaves a stopped service watched, and says why a program crashed', async () => {
		const machine = await serving();
		const { places, manager, service } = machine;
		await manager.stop('access.service');
		chmodSync(places.settings, 0o600);
		chownSync(places.settings, id, id);
		const running = new Set(service.running);
		const crash = "printf 'at work\\nerror: no such column\\n      at migrate (file:1:2)\\n\\n' >&2; exit 1";
		const { stderr } = await installOn(machine, {}, { program: [smallProgram({ migrate: crash })] });
		expect(stderr).toEndWith('\nthe upgrade was rolled back: error: no such column\n');
		expect(statSync(places.settings)).toMatchObject({ uid: id, gid: id, mode: 0o100600 });
		expect(running).toEqual(new Set(['access-watch.timer']));
		expect(service.running).toEqual(running);
		// systemd reads the old units again, also after a start with the new ones.
		rmSync(join(places.units, 'access-watch.service'));
		const failed = await installOn(machine, {}, { program: [smallProgram({ serve: 'exit 1' })] });
		expect(failed.stderr).toContain('\nthe upgrade was rolled back: the service ended');
		expect(service.known).toEqual(readdirSync(places.units));
	});

	test('of the settings only needs no backup and no migration, and says what was rolled back', async () => {
		const machine = await serving();
		using taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('', { status: 404 }) });
		const { stderr } = await installOn(machine, { PORT: String(taken.port) });
		const write = `write ${machine.places.settings}`;
		const steps = ['stop the service', write, 'start the service', 'it failed: rolling back'];
		expect(stderr).toStartWith(`${steps.join('\n')}\nthe change was rolled back, it serves again: `);
		expect(await findHealthStatus(readInstalledConfig(machine.places))).toBe(200);
	});

	test('of the settings corrects a wrong one, and names one that fails the service, also with nothing to install', async () => {
		const machine = await serving();
		const { settings } = machine.places;
		writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^PORT=.*$/m, 'PORT=x'));
		expect((await installOn(machine)).stderr).toStartWith('PORT is "x", but takes a port number');
		expect(await installOn(machine, { PORT: freePort() })).toMatchObject({ code: 0 });
		expect(await findHealthStatus(readInstalledConfig(machine.places))).toBe(200);
		addSetting(machine, `BACKUP_KEY_FILE=${newKeyOfRoot()}`);
		const refused = { ...failed, stderr: expect.stringMatching(/^BACKUP_KEY_FILE: cannot use .* permission denied/) };
		for (const dryRun of [true, false]) expect(await installOn(machine, { dryRun })).toEqual(refused);
	});

	async function migrateFurther({ data }: Machine): Promise<void> {
		const backup = join(data, 'backups', 'before-upgrade-20260101T000000Z.db');
		await onData(data, 'backup', backup);
		withDatabase(join(data, 'access.db'), (database) => database.run('pragma user_version = 99'));
	}
	/** Runs a command in a separate process, as the owner of the data. */
	async function onData(DATA_DIR: string, ...args: string[]): Promise<void> {
		expect(await runToEnd({ command: [binary, ...args], environment: { DATA_DIR } })).toMatchObject({ code: 0 });
	}
	function addSetting({ places: { settings } }: Machine, line: string): void {
		writeFileSync(settings, `${readFileSync(settings, 'utf8')}${line}\n`);
	}
	function newKeyOfRoot(): string {
		const key = join(newFolder(), 'key');
		writeFileSync(key, 'k'.repeat(44), { mode: 0o600 });
		return key;
	}
	let obstructed: Promise<Machine> | undefined;
	/** The case, what is in the way with the options to give, and the refusal. */
	type Obstacle = [what: string, put: (machine: Machine) => Options | Promise<void> | undefined, says: RegExp];
	// All stand in the way of one machine: each is looked for before those that are left from the tests above.
	const obstacles: Obstacle[] = [
		[
			'the service may not write to the place of copies',
			() => ({ BACKUP_TO: newFolder(0o755) }),
			/^cannot use \S+: permission denied \(it belongs to root, this runs as nobody\): change the owner or mode/,
		],
		[
			'the service may not read the key of TLS',
			() => {
				const tls = makeCertificate(join(newFolder(0o755), 'server'));
				chmodSync(tls.TLS_CERT_FILE, 0o644);
				return tls;
			},
			/^TLS_KEY_FILE: cannot use \S+: permission denied/,
		],
		[
			'the database is newer than the program',
			migrateFurther,
			/schema 99, .* run systemctl stop access && (\S+) restore --unsealed "\S+\/before-upgrade-\w+\.db", then \1 install\n$/,
		],
		[
			'the service may not read the key of the copies',
			(machine) => {
				addSetting(machine, `BACKUP_KEY_FILE=${newKeyOfRoot()}`);
			},
			/^BACKUP_KEY_FILE: cannot use \S+: permission denied/,
		],
		[
			'the service may not enter the folder of its files',
			({ places: { keys } }) => {
				const tls = makeCertificate(join(keys, 'server'));
				chmodSync(keys, 0o700);
				return tls;
			},
			/^TLS_CERT_FILE: cannot use \S+: permission denied \(\S+\/etc\/access belongs to root, this runs as nobody\)/,
		],
		[
			'the state directory of systemd is a link',
			({ data }) => {
				renameSync(data, `${data}-elsewhere`);
				symlinkSync(`${data}-elsewhere`, data);
			},
			/^\S+\/var\/lib\/access is a link or a file, with which systemd starts no service: put the folder itself there, or/,
		],
		[
			'somebody wrote a unit of the same name',
			({ places: { otherUnits } }) => {
				mkdirSync(otherUnits, { recursive: true });
				writeFileSync(join(otherUnits, 'access.service'), '[Service]');
			},
			/^\S+access\.service would be used instead of the unit/,
		],
		[
			'there are units, but no settings, which would be the defaults',
			({ places }) => {
				rmSync(places.settings);
			},
			/^\S+access\.conf is missing: put it back, or run access uninstall to begin with new settings\n$/,
		],
	];
	test.each(obstacles)('is refused before a stop when %s, and a dry run says so', async (_, put, says) => {
		obstructed ??= serving();
		const machine = await obstructed;
		const options = (await put(machine)) ?? {};
		const files = filesOf(machine);
		const backups = () => (existsSync(join(machine.data, 'backups')) ? readdirSync(join(machine.data, 'backups')) : []);
		const kept = backups();
		for (const dryRun of [true, false]) {
			const ended = await installOn(machine, { ...options, dryRun }, { program: [smallProgram({ x: '' })] });
			expect(ended).toEqual({ ...failed, stderr: expect.stringMatching(says) });
		}
		expect([filesOf(machine), backups(), machine.service.stopped]).toEqual([files, kept, []]);
	});

	test('goes back to the program before by the two commands that it names', async () => {
		const machine = await serving();
		await migrateFurther(machine);
		const older = join(newFolder(), 'old program');
		cpSync(smallProgram({ x: '' }), older);
		const { stderr } = await installOn(machine, {}, { program: [older] });
		const [, restore = ''] = / && (.* restore .*), then /.exec(stderr) ?? [];
		await machine.manager.stop('access.service');
		const command = ['sh', '-c', restore];
		expect(await runToEnd({ command, environment: { DATA_DIR: machine.data } })).toMatchObject({ code: 0 });
		expect(await installOn(machine, {}, { program: [older] })).toMatchObject({ code: 0 });
	});

	test('without room for the program or its backup is refused before anything stops; a read-only disk is left alone', async () => {
		const machine = newMachine();
		const { data, places, service, manager } = machine;
		const bin = dirname(places.program);
		for (const folder of [data, bin]) mkdirSync(folder, { recursive: true });
		using disk = smallDiskFor('an upgrade on a disk without room', 30, data);
		using small = smallDiskFor('an upgrade without room for the program', 30, bin);
		if (!disk || !small) return;
		await serving({}, machine);
		const program = [smallProgram({ x: '' })];
		const upgrade = async (options: Options = {}) => (await installOn(machine, options, { program })).stderr;
		small.fill();
		for (const dryRun of [true, false])
			expect(await upgrade({ dryRun })).toMatch(
				/^the disk of \S+ has 0 MB free, but the new program needs 21 MB: make room\n$/,
			);
		small.makeRoom();
		writeFileSync(join(data, 'filler'), Buffer.alloc(14_000_000));
		expect(await upgrade()).toMatch(
			/^the disk of \S+ has 1\d MB free, but the backup before the upgrade needs 2\d MB: make room\n$/,
		);
		expect([service.stopped, readdirSync(data).includes('backups')]).toEqual([[], false]);
		rmSync(join(data, 'filler'));
		small.makeReadOnly();
		expect(await upgrade()).toMatch(
			/the upgrade was rolled back, the old program serves again: .* is mounted read-only/,
		);
		await manager.stop('access.service');
	});

	test('beside another one is refused before anything changes, and a killed one is no obstacle', async () => {
		const machine = await serving();
		const { installing } = machine.places;
		writeFileSync(installing, `${process.pid}\n`);
		const files = filesOf(machine);
		const program = [smallProgram({ x: '' })];
		const stderr = `another installation is running: wait until it has ended, or remove ${installing}\n`;
		expect(await installOn(machine, {}, { program })).toEqual({ ...failed, stderr });
		expect([filesOf(machine), machine.service.stopped]).toEqual([files, []]);
		// The second one had no room for its id.
		for (const mark of ['999999999\n', '']) {
			writeFileSync(installing, mark);
			expect(await installOn(machine, {}, { program })).toMatchObject({ code: 0 });
			expect(existsSync(installing)).toBe(false);
		}
	});

	test('that is interrupted is rolled back, before its backup and while it migrates', async () => {
		const machine = await serving();
		const program = [smallProgram({ migrate: 'echo migrating >&2; exec sleep infinity' })];
		for (const line of ['stop the service', 'migrating']) {
			const stops: (() => void)[] = [];
			const onStop = (stop: () => void) => void stops.push(stop);
			const report = (said: string) => said === line && stops.map((stop) => stop());
			const { stderr } = await installOn(machine, { wait: 99_999 }, { program, onStop, report });
			expect(stderr).toBe('the upgrade was rolled back, the old program serves again: it was interrupted\n');
			expect(await findHealthStatus(readInstalledConfig(machine.places))).toBe(200);
		}
	});

	test('touches nothing outside of the data folder through a link in it', async () => {
		const machine = await serving();
		const outside = newFolder();
		writeFileSync(join(outside, 'notes'), 'of root', { mode: 0o600 });
		rmSync(join(machine.data, 'backups'), { recursive: true, force: true });
		for (const [name, target] of Object.entries({ notes: `${outside}/notes`, more: outside, backups: outside })) {
			symlinkSync(target, join(machine.data, name));
		}
		const before = statSync(outside);
		const ended = await installOn(machine, {}, { program: [smallProgram({ x: '' })] });
		expect(ended.stderr).toMatch(/rolled back, the old program serves again: cannot .*backups.*: permission denied/);
		expect(statSync(outside)).toEqual(before);
		expect(statSync(join(outside, 'notes'))).toMatchObject({ uid: 0, mode: 0o100600 });
	});
});

test.skipIf(!isRoot)('a new recipient of notifications gets a test message, and a refusal is no failure', async () => {
	const told = join(newFolder(0o777), 'told');
	const machine = await serving();
	const { stderr } = await installOn(machine, { ALERT_COMMAND: `"cat" > "${told}"`, CHAIN_NAME: '"福记"' });
	expect(readInstalledConfig(machine.places).CHAIN_NAME).toBe('"福记"');
	expect(stderr).toMatch(/\nstart the service\nsend a test message\n$/);
	expect(readFileSync(told, 'utf8')).toMatch(/^access on .*\nThis is a test/);
	expect(statSync(told).uid).toBe(id);
	const upgraded = await installOn(machine, {}, { program: [smallProgram({ x: '' })] });
	expect(upgraded.stderr).toEndWith('\nstart the service\n');
	const refused = await installOn(machine, { ALERT_COMMAND: 'echo no >&2; false' });
	const says = expect.stringMatching(/\nthe test message failed: ALERT_COMMAND failed: no\./);
	expect(refused).toMatchObject({ code: 0, stderr: says });
});

/** A place with a sealed backup, and its key in a folder of root. */
async function lost(settingsOfIt: Config['given'] = { settings: {}, secrets: [] }) {
	const [place, folder] = [newFolder(0o755), newFolder()];
	chownSync(place, id, id);
	const [key, other] = [join(folder, 'backup.key'), join(folder, 'other.key')];
	writeFileSync(key, '1'.repeat(44), { mode: 0o600 });
	writeFileSync(other, '2'.repeat(44), { mode: 0o600 });
	const data = await newInstallation();
	const settings = { DATA_DIR: data, BACKUP_TO: place, BACKUP_KEY_FILE: key };
	mkdirSync(join(data, 'backups'));
	const name = 'automatic-20260101T000000Z.db';
	expect(await runHere(['backup', join(data, 'backups', name)], { DATA_DIR: data })).toMatchObject({ code: 0 });
	writeFileSync(join(data, 'secrets.json'), JSON.stringify({ JWT_SECRET: given.JWT_SECRET }), { mode: 0o600 });
	expect(await copyHere(settings, settingsOfIt)).toMatchObject({ code: 0 });
	for (const copy of readdirSync(place)) chmodSync(join(place, copy), 0o644);
	return { place, key, other };
}

test.skipIf(!isRoot)('a recovery goes on after mistakes and an interruption, and its key is readable', async () => {
	const { place, key, other } = await lost();
	const machine = newMachine();
	const { places, data } = machine;
	const mistakes: [mistake: Options, says: RegExp][] = [
		[{ BACKUP_KEY_FILE: '' }, /: sealed: set BACKUP_KEY_FILE \(recover: --key-file\)\n$/],
		[{ BACKUP_KEY_FILE: other }, /sealed with another BACKUP_KEY_FILE\n$/],
	];
	for (const [mistake, says] of mistakes) {
		const { code, stderr } = await installOn(machine, { from: place, BACKUP_KEY_FILE: key, ...mistake });
		expect([code, stderr, filesOf(machine)]).toEqual([1, expect.stringMatching(says), []]);
	}
	// A signal before the first step, when the backup was already verified.
	const stops: (() => void)[] = [];
	const onStop = (stop: () => void) => void stops.push(stop);
	const report = (line: string) => line.startsWith('make the user') && stops.map((stop) => stop());
	const stopped = await installOn(newMachine(), { from: place, BACKUP_KEY_FILE: key }, { onStop, report });
	expect(stopped.stderr).toBe('the installation was rolled back: it was interrupted\n');
	const outside = join(newFolder(), 'shadow');
	writeFileSync(outside, '', { mode: 0o600 });
	mkdirSync(data);
	symlinkSync(outside, join(data, 'notes'));
	// The first start fails, after the restore.
	using taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('', { status: 404 }) });
	const options = { from: `${place}/`, BACKUP_KEY_FILE: key };
	const first = await installOn(machine, { ...options, PORT: String(taken.port) });
	expect(first.stderr).toMatch(
		/ is now .*newest record is from .*\n(.*\n)*the installation was rolled back: the service/,
	);
	expect(filesOf(machine)).toEqual(bare);
	for (const name of ['access.db', 'access.installed', 'secrets.json']) expect(readdirSync(data)).not.toContain(name);
	expect(await installOn(machine, { ...options, PORT: freePort() })).toMatchObject({ code: 0 });
	const again = await installOn(machine, options);
	expect(again.stderr).toEndWith(' has a database already: access install serves it, access restore replaces it\n');
	expect(filesOf(machine)).toEqual([...complete, '/etc/access/backup.key'].sort());
	const kept = join(places.keys, 'backup.key');
	expect(readInstalledConfig(places)).toMatchObject({ BACKUP_TO: `${place}/`, BACKUP_KEY_FILE: kept });
	expect(statSync(kept)).toMatchObject({ uid: 0, gid: id, mode: 0o100640 });
	// As if an operator had put the file there.
	chmodSync(kept, 0o600);
	chownSync(kept, 0, 0);
	expect(await installOn(machine, { BACKUP_KEY_FILE: kept })).toMatchObject({ code: 0 });
	expect(statSync(kept)).toMatchObject({ uid: 0, gid: id, mode: 0o100640 });
	expect(statSync(join(data, 'secrets.json')).uid).toBe(id);
	expect(statSync(outside)).toMatchObject({ uid: 0, mode: 0o100600 });
});

describe.skipIf(!isRoot)('the settings of a machine that is recovered', () => {
	/** A machine, and the copies of a lost one, including its settings. */
	async function lostWithSettings() {
		const machine = newMachine();
		const told = join(newFolder(0o777), 'told');
		const tls = makeCertificate(join(newFolder(0o755), 'server'));
		for (const path of Object.values(tls)) chmodSync(path, 0o644);
		const port = freePort();
		const proxied = { HOST: '127.0.0.1', PORT: port, TRUST_PROXY: '127.0.0.1' };
		const settings = { DATA_DIR: machine.data, ...proxied, CHAIN_NAME: '好邻居', ...tls };
		const more = { ALERT_COMMAND: `cat > ${told}`, ALERT_URL: 'http://127.0.0.1:1/key', REQUIRE_OWN_PASSWORD: 'on' };
		const copied = { settings: { ...settings, ...more }, secrets: ['PASSWORD_KEY'] };
		return { ...(await lost(copied)), machine, told, tls, port };
	}

	test('win without a terminal; it serves with TLS, the name of the chain and alerts, and needs no room in /tmp', async () => {
		const { place, key, machine, told, tls, port } = await lostWithSettings();
		using _temporary = temporaryFilesIn('/nowhere');
		const { code, stderr, stdout } = await installOn(machine, { from: place, BACKUP_KEY_FILE: key });
		expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('\nsend a test message\n') });
		expect(stderr).toStartWith(
			'the settings of the lost machine:\n# Given on that machine and not copied: PASSWORD_KEY\n',
		);
		expect(stderr).toMatch(/^ALERT_URL=…$/m);
		expect(stdout).toBe(`It serves at https://127.0.0.1:${port}/back-office/\n`);
		const config = readInstalledConfig(machine.places);
		expect(config).toMatchObject({ ...tls, CHAIN_NAME: '好邻居', REQUIRE_OWN_PASSWORD: 'on', BACKUP_TO: place });
		expect(await findHealthStatus(config)).toBe(200);
		expect(readFileSync(told, 'utf8')).toContain('This is a test');
	});

	test('lose against options; a certificate that is not here is refused, with what to do, and nothing is written', async () => {
		const { place, key, machine, tls } = await lostWithSettings();
		for (const path of Object.values(tls)) rmSync(path);
		const from = { from: place, BACKUP_KEY_FILE: key, PORT: freePort() };
		const refused = await installOn(machine, from);
		expect(refused.stderr).toMatch(/\nTLS_CERT_FILE: cannot use .*: it or its folder is not there, check the path\n$/);
		expect(filesOf(machine)).toEqual([]);
		const options = { ...from, TLS_CERT_FILE: '', TLS_KEY_FILE: '' };
		expect(await installOn(machine, options)).toMatchObject({ code: 0 });
		const { PORT, TLS_CERT_FILE, CHAIN_NAME } = readInstalledConfig(machine.places);
		const wanted = { PORT: from.PORT, CHAIN_NAME: '好邻居' };
		expect({ PORT: String(PORT), TLS_CERT_FILE, CHAIN_NAME }).toEqual(wanted as never);
	});

	test('name files in /etc/access, to which the service gets the right to read', async () => {
		const machine = newMachine();
		const { keys } = machine.places;
		mkdirSync(keys);
		const tls = makeCertificate(join(keys, 'server'));
		for (const path of Object.values(tls)) chmodSync(path, 0o600);
		const settings = { DATA_DIR: machine.data, HOST: '127.0.0.1', PORT: freePort(), ...tls };
		const { place, key } = await lost({ settings, secrets: [] });
		expect(await installOn(machine, { from: place, BACKUP_KEY_FILE: key })).toMatchObject({ code: 0 });
		for (const path of Object.values(tls)) expect(statSync(path)).toMatchObject({ uid: 0, gid: id, mode: 0o100640 });
		expect(await findHealthStatus(readInstalledConfig(machine.places))).toBe(200);
	});

	test('are asked for in a terminal if they may differ here, with the old values as defaults', async () => {
		const { place, key, machine, tls, port } = await lostWithSettings();
		rmSync(tls.TLS_CERT_FILE);
		const asked: Record<string, string> = {};
		const ask = (question: string, byDefault: string) => {
			asked[/^\w+( \w+)?/.exec(question)?.[0] ?? ''] = byDefault;
			return question === 'Address of your proxy (- for none)' ? '-' : byDefault;
		};
		const ended = await installOn(machine, { from: place, BACKUP_KEY_FILE: key }, { isTerminal: true, ask });
		expect(ended).toMatchObject({ code: 0 });
		const empty = { 'Certificate for': '', 'Address that': '' };
		expect(asked).toEqual({ 'Address to': '127.0.0.1', Port: port, 'Address of': '127.0.0.1', ...empty });
		expect(readInstalledConfig(machine.places).TRUST_PROXY).toEqual([]);
		expect(ended.stderr).toContain(`TLS_CERT_FILE: there is no file ${tls.TLS_CERT_FILE}\n`);
		expect(ended.stdout).toBe(`It serves at http://127.0.0.1:${port}/back-office/\n`);
	});
});

test.skipIf(!isRoot)('a first password is shown in a terminal, as long as the administrator has it', async () => {
	const machine = newMachine();
	// An operator who gives options is not asked.
	const [PORT, terminal] = [freePort(), { isTerminal: true, ask: () => expect.unreachable() }];
	const { stdout } = await installOn(machine, { PORT }, terminal);
	const [, oldPassword = ''] = /with the password (\S{20})\n/.exec(stdout) ?? [];
	const again = async () => {
		await ended((context) => uninstall(context, machine));
		return await installOn(machine, { PORT }, terminal);
	};
	expect((await again()).stdout).toContain(`with the password ${oldPassword}\n`);
	const credentials = { username: 'admin', password: oldPassword };
	const { token } = expectStatus(await call(machine, '/api/auth/login', credentials), 200);
	const body = { oldPassword, newPassword: 'a-password-of-their-own' };
	const url = `http://127.0.0.1:${PORT}/api/auth/me/password`;
	expectStatus(await exchange((init) => fetch(url, init), 'PATCH', { token, body }), 200);
	expect((await again()).stdout).not.toContain('password');
});

test.skipIf(!isRoot)('an uninstallation keeps the data and the settings, also wrong ones', async () => {
	const machine = await serving();
	const { program, settings } = machine.places;
	writeFileSync(settings, 'PORT=x');
	const { stdout } = await ended((context) => uninstall(context, machine));
	const kept = `${settings} and its DATA_DIR are kept\n`;
	expect(stdout).toMatch(`removed ${program}\n`);
	expect(stdout).toEndWith(kept);
	expect(filesOf(machine)).toEqual(['/etc/access.conf', ...bare].sort());
	expect(machine.service.known).toEqual([]);
	expect(existsSync(machine.data)).toBe(true);
	const again = async () => (await ended((context) => uninstall(context, machine))).stdout;
	expect(await again()).toBe(kept);
	rmSync(settings);
	expect(await again()).toBe('nothing is installed\n');
});

test('a service that fails is tried again for ever: its address may come after the start of the machine', () => {
	const lines = ['Restart=on-failure', 'RestartSec=5', 'StartLimitIntervalSec=0'];
	const found = units['access.service'].split('\n').filter((line) => /^(Restart|StartLimit)/.test(line));
	expect(found.sort()).toEqual(lines);
});

test('neither the service nor its watch starts without the settings: another folder would be an empty chain', () => {
	for (const name of ['access.service', 'access-watch.service'] as const)
		expect(units[name].split('\n')).toContain('Environment=SETTINGS_FILE=/etc/access.conf');
});

describe.skipIf(Bun.which('systemd-analyze') === null)('systemd', () => {
	const folder = newFolder();
	const paths = Object.entries(units).map(([name, text]) => {
		writeFileSync(join(folder, name), text.replaceAll('/usr/local/bin/access', binary));
		return join(folder, name);
	});

	test('accepts the units, which may write to the folders of the settings', async () => {
		expect(units['access.service']).toEndWith('ReadWritePaths="-/data"\nReadWritePaths="-/mnt/a 100%%"\n');
		const command = ['systemd-analyze', 'verify', '--man=no', ...paths];
		expect(await runToEnd({ command })).toMatchObject({ code: 0, stderr: '' });
	});

	test('finds the service and its watch safe: an exposure of at most 3', async () => {
		for (const path of paths.filter((each) => each.endsWith('.service'))) {
			const command = ['systemd-analyze', 'security', '--offline=yes', '--threshold=30', '--no-pager', path];
			expect(await runToEnd({ command })).toMatchObject({ code: 0 });
		}
	});
});

describe('the container', () => {
	const dockerfile = readFileSync(join(root, 'src/docs/deploy/Dockerfile'), 'utf8');
	const said = (instruction: string) => new RegExp(`^${instruction} (.*)$`, 'm').exec(dockerfile)?.[1] ?? '';
	type Part = Record<'volumes' | 'ports' | 'entrypoint', string[]> & {
		environment: Record<string, string>;
		healthcheck: { test: string[] };
		logging: object;
		mem_limit: string;
	};
	const compose = Bun.YAML.parse(readFileSync(join(root, 'src/docs/deploy/compose.yaml'), 'utf8')) as {
		services: Record<'access' | 'watch', Part>;
		volumes: object;
	};
	const { access: serving, watch: watching } = compose.services;

	test('starts the program with variables that it knows, on the volume and the port, and needs no file', () => {
		const SETTINGS_FILE = join(newFolder(), 'access.conf');
		for (const { environment, volumes } of [serving, watching]) {
			const settings = Object.entries(environment).map((each) => each.join('='));
			// A settings file with an unknown name is refused.
			writeFileSync(SETTINGS_FILE, [...said('ENV').split(' '), ...settings].join('\n'));
			const config = readConfig({ SETTINGS_FILE });
			expect(volumes).toEqual([`${Object.keys(compose.volumes)}:${config.DATA_DIR}`]);
			expect([said('VOLUME'), said('WORKDIR')]).toEqual([config.DATA_DIR, config.DATA_DIR]);
			expect(config.REQUIRE_OWN_PASSWORD).toBe('on');
		}
		expect(serving.ports).toEqual([`127.0.0.1:${readConfig({ SETTINGS_FILE }).PORT}:${said('EXPOSE')}`]);
	});

	test('is watched by a second one, has a limit for its log and its memory, and is asked for its health without the image', () => {
		for (const part of [serving, watching]) {
			expect(part).toMatchObject({ logging: { options: { 'max-size': '10m' } }, mem_limit: '2g' });
		}
		expect(serving.healthcheck.test).toEqual(['CMD', '/usr/local/bin/access', 'health']);
		expect(watching.environment.HOST).toBe('access');
		expect(watching.entrypoint.at(-1)).toContain('/usr/local/bin/access check --watch');
	});

	test('asks the program for its health, and stops it as another user than root', async () => {
		const [path, ...command] = JSON.parse(dockerfile.match(/^HEALTHCHECK .*CMD (\[.*\])$/m)?.[1] ?? '[]') as string[];
		expect(JSON.parse(said('ENTRYPOINT'))).toEqual([path ?? '']);
		expect(dockerfile).toMatch(new RegExp(`^COPY --chmod=755 access ${path}$`, 'm'));
		expect([said('USER'), said('CMD')]).toEqual(['access', '["serve"]']);
		const program = await serve();
		const { port } = new URL(program.url);
		expect(await runHere(command, { PORT: port })).toEqual({ code: 0, stdout: 'it answers\n', stderr: '' });
		expect(await program.end(said('STOPSIGNAL') as 'SIGTERM')).toBe(0);
		const { code, stdout } = await runHere(command, { PORT: port });
		expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^nothing answers at /) });
	});
});
