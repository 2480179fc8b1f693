/** `access install`: files for an image, and upgrades of an installation that serves. */
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { welcome } from '../src/commands/install.ts';
import { carryOut, configOf, placesBelow, planInstallation, type Target } from '../src/commands/installer/install.ts';
import { type ServiceManager, systemd } from '../src/commands/installer/service-manager.ts';
import type { ProcessContext } from '../src/commands/process.ts';
import { OperationError } from '../src/vocabulary/errors.ts';
import { mode } from './installation.ts';
import { compiled, newFolder, Program, removeFolders, runToEnd } from './program.ts';
import { runHere } from './run-here.ts';
import { newInstallation } from './server.ts';
import { noteUntested } from './untested.ts';
import { adminPassword } from './world.ts';

afterAll(removeFolders);

const [binary = ''] = compiled();
const isRoot = process.getuid?.() === 0;
const hasSystemd = Bun.which('systemd-sysusers') !== null && Bun.which('systemd-analyze') !== null;
if (!isRoot || !hasSystemd) noteUntested('the installation', 'this is not root, or there is no systemd');

/** A program that is smaller than the real one, and runs it after what it is given. */
function smallProgram(before = ''): string {
	const path = join(newFolder(), 'access');
	writeFileSync(path, `#!/bin/sh\n[ "\${1:-serve}" = serve ] && { ${before || 'true'}; }\nexec ${binary} "$@"\n`);
	chmodSync(path, 0o755);
	return path;
}

const small = smallProgram();
/** Runs a command on the folder of an image, as the small program would. */
const onImage = (command: string, root: string, ...args: string[]) =>
	runHere([command, '--root', root, ...args], {}, '', { program: [small] });
const install = (root: string, ...args: string[]) => onImage('install', root, ...args);

/** A folder for an image, as systemd-sysusers needs it. */
function newRoot(): string {
	const root = newFolder();
	mkdirSync(join(root, 'etc'));
	return root;
}

const cases: [what: string, context: Partial<ProcessContext>, args: string[], says: RegExp][] = [
	['another user', { userId: 1000, program: [binary] }, [], /^only root can do this: run it with sudo\n$/],
	['another system', { platform: 'darwin', program: [binary] }, [], /^this is not Linux: /],
	['the source', {}, [], /^only the built program can be installed: run bun run build/],
	['a wrong port', { program: [binary] }, ['--port', 'x'], /^PORT is "x", but takes a port number/],
	['half a certificate', { program: [binary] }, ['--tls-cert-file', '/c.pem'], /^TLS_KEY_FILE is not given/],
	['a wrong time', { program: [binary] }, ['--wait', '0'], /takes a number of seconds/],
];
test.each(cases)('a wrong use is one line, and nothing is written: %s', async (_what, context, args, says) => {
	const root = newRoot();
	const ended = await runHere(['install', '--root', root, ...args], {}, '', {
		userId: 0,
		platform: 'linux',
		...context,
	});
	expect(ended).toEqual({ code: expect.any(Number), stdout: '', stderr: expect.stringMatching(says) });
	expect(ended.code).not.toBe(0);
	expect(existsSync(placesBelow(root).settings)).toBe(false);
});

describe.skipIf(!isRoot || !hasSystemd)('an image', () => {
	test('has the program, the user, the settings and a unit that systemd accepts; again there is nothing to do', async () => {
		const root = newRoot();
		const places = placesBelow(root);
		// The real program, in a process of its own.
		const install = (...args: string[]) => runToEnd({ command: [binary, 'install', '--root', root, ...args] });
		const wanted = await install('--dry-run');
		expect(wanted.stdout).toMatch(
			/^would make the user access\nwould write .*access\.conf\nwould install .*\n(would write .*\.(service|timer)\n){3}$/,
		);
		expect(existsSync(places.program)).toBe(false);
		expect(await install('--host', '0.0.0.0', '--port', '8443')).toMatchObject({ code: 0 });
		expect(readFileSync(places.settings, 'utf8')).toMatch(/^DATA_DIR=\/var\/lib\/access\nHOST=0\.0\.0\.0\nPORT=8443$/m);
		expect([places.settings, places.program, places.unit].map(mode)).toEqual(['640', '755', '644']);
		const group = /^access:.*?:(\d+):/m.exec(readFileSync(join(root, 'etc/group'), 'utf8'))?.[1];
		expect(statSync(places.settings).gid).toBe(Number(group));
		const units = newFolder();
		for (const name of readdirSync(dirname(places.unit)).filter((each) => each.startsWith('access'))) {
			const text = readFileSync(join(dirname(places.unit), name), 'utf8');
			writeFileSync(join(units, name), text.replaceAll('/usr/local/bin/access', binary));
		}
		const command = ['systemd-analyze', 'verify', '--man=no', ...readdirSync(units).map((name) => join(units, name))];
		expect(command).toHaveLength(6);
		expect(await runToEnd({ command })).toMatchObject({ code: 0, stderr: '' });
		expect(await install()).toEqual({ code: 0, stdout: 'everything is installed already\n', stderr: '' });
	});

	test('keeps what a person changed, replaces what nobody did, and goes without the data', async () => {
		const root = newRoot();
		const places = placesBelow(root);
		await install(root);
		writeFileSync(places.settings, 'PORT=8080\n');
		writeFileSync(places.unit, `${readFileSync(places.unit, 'utf8')}Nice=5\n`);
		expect((await install(root)).stderr).toMatch(
			/^keep .*access\.service, which somebody changed, and write .*\.new\n$/,
		);
		expect(readFileSync(places.unit, 'utf8')).toMatch(/Nice=5\n$/);
		expect((await install(root)).stdout).toBe('everything is installed already\n');
		copyFileSync(`${places.unit}.new`, places.unit);
		expect((await install(root, '--port', '9090')).stdout).toBe('everything is installed already\n');
		expect(readFileSync(places.settings, 'utf8')).toBe('PORT=8080\n');
		mkdirSync(places.data, { recursive: true });
		const gone = await onImage('uninstall', root);
		expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining(`removed ${places.program}\n`) });
		expect([places.program, places.unit, places.settings].map((path) => existsSync(path))).toEqual([
			false,
			false,
			true,
		]);
		// Nothing starts with the machine any more, not even a link that leads nowhere.
		expect(readdirSync(root, { recursive: true }).filter((path) => String(path).includes('.wants'))).toEqual([]);
	});

	test('is recovered from the newest backup in a folder, and purged, below its root only', async () => {
		const [root, copies] = [newRoot(), newFolder()];
		const places = placesBelow(root);
		expect(await runHere(['backup', copies], { DATA_DIR: await newInstallation() })).toMatchObject({ code: 0 });
		expect(await onImage('recover', root, '--from', copies)).toMatchObject({ code: 0 });
		const { uid } = statSync(places.data);
		expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toContain(`access:x:${uid}:`);
		expect(statSync(join(places.data, 'access.db')).uid).toBe(uid);
		const purged = await runToEnd({ command: [binary, 'uninstall', '--purge', '--root', root] });
		expect(purged.code).toBe(1);
		expect(purged.stdout + purged.stderr).toContain(`This removes ${places.data} with every backup in it.`);
	});
});

/** Runs the installed program as systemd would. */
function manager(target: Pick<Target, 'places'>): ServiceManager & { running: Program | undefined } {
	const nothing = async () => {};
	return {
		running: undefined,
		makeUser: nothing,
		enable: nothing,
		disable: nothing,
		async restart() {
			await this.stop();
			try {
				this.running = await Program.start({
					command: [target.places.program],
					environment: {
						SETTINGS_FILE: target.places.settings,
						DATA_DIR: configOf(target.places).DATA_DIR,
						...{ PORT: '', HOST: '' },
					},
				});
			} catch {
				throw new OperationError('it did not start');
			}
		},
		async stop() {
			await this.running?.end();
			this.running = undefined;
		},
		newestLines: async () => 'the newest line',
	};
}

test.skipIf(!isRoot || !hasSystemd)(
	'an installation that was killed after any step is finished by the next one',
	async () => {
		const whole = newRoot();
		await install(whole);
		const filesIn = (root: string) =>
			['program', 'settings', 'unit', 'users'].map((name) => {
				const path = placesBelow(root)[name as 'unit'];
				return [mode(path), Bun.hash(readFileSync(path))];
			});
		for (let done = 0; done < 6; done += 1) {
			const root = newRoot();
			const places = placesBelow(root);
			const target: Target = {
				places,
				manager: systemd(root),
				program: small,
				settings: readFileSync(placesBelow(whole).settings, 'utf8'),
				starts: false,
				patience: 1,
			};
			const { steps } = await planInstallation(target);
			await carryOut({ steps: steps.slice(0, done), isUpgrade: false }, target, () => {});
			expect(await install(root)).toMatchObject({ code: 0 });
			expect(filesIn(root)).toEqual(filesIn(whole));
		}
	},
);

describe('an installation that serves', () => {
	async function serving() {
		const root = newRoot();
		const places = placesBelow(root);
		const data = join(root, 'data');
		mkdirSync(join(root, 'etc/sysusers.d'));
		writeFileSync(places.users, '');
		writeFileSync(join(root, 'etc/group'), 'access:x:0:\n');
		using free = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
		const settings = `DATA_DIR=/data\nHOST=127.0.0.1\nPORT=${free.port}\n`;
		const service = manager({ places });
		const target: Target = { places, manager: service, program: small, settings, starts: true, patience: 60_000 };
		free.stop();
		await newInstallation(data);
		await carryOut(await planInstallation(target), target, () => {});
		const token = await service.running?.signIn('admin', adminPassword);
		await service.running?.send('POST', '/api/stores', { token, body: { name: '人民路店' } });
		return { places, data, target, service };
	}
	const stores = (data: string) => {
		using db = new Database(join(data, 'access.db'), { readonly: true });
		return db.query('select name from stores').values().flat();
	};

	test('is upgraded after a backup, and not again, and says where it serves', async () => {
		const { target, places, data, service } = await serving();
		const newer = { ...target, program: smallProgram(': newer') };
		const said: string[] = [];
		await carryOut(await planInstallation(newer), newer, (line) => said.push(line));
		expect(said).toEqual([expect.stringMatching(/^back up to /), `replace ${places.program}`, 'start the service']);
		expect(readFileSync(places.program)).toEqual(readFileSync(newer.program));
		expect(stores(data)).toEqual(['人民路店']);
		expect((await planInstallation(newer)).steps).toEqual([]);
		await service.stop();
		const config = configOf(places);
		for (const [HOST, shown] of [
			['127.0.0.1', '127.0.0.1'],
			['0.0.0.0', hostname()],
			['::', hostname()],
			['::1', '[::1]'],
		] as const) {
			const url = `http://${shown}:${config.PORT}/back-office/`;
			expect(welcome({ ...config, HOST }, false)).toBe(`It serves at ${url}\n`);
		}
	});

	test('that does not start after the new program changed the database serves again with the old one and its data', async () => {
		const { target, places, data, service } = await serving();
		const change = `${process.execPath} -e 'const { Database } = require("bun:sqlite"); const db = new Database(process.argv[1]); db.run("pragma user_version = 99"); db.run("delete from stores")' ${join(data, 'access.db')}; exit 1`;
		const broken = { ...target, program: smallProgram(change) };
		const upgrade = carryOut(await planInstallation(broken), broken, () => {});
		expect(upgrade).rejects.toThrow(
			/^the upgrade was taken back, the old program serves again: .*; its log says: the newest line$/,
		);
		await upgrade.catch(() => {});
		expect(readFileSync(places.program)).toEqual(readFileSync(small));
		expect(stores(data)).toEqual(['人民路店']);
		expect((await service.running?.request('/health'))?.status).toBe(200);
		await service.stop();
	});
});
