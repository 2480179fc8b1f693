/** Tests for root only: files of other users, a reserved port, and disks that are full or read-only. */
import { beforeAll, describe, expect, test } from 'bun:test';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { checkNames } from '../src/commands/check.ts';
import { makeCertificate } from './certificate.ts';
import {
	access,
	accessBinary,
	copyOfInstalled,
	databaseOf,
	expectFailed,
	failed,
	install,
	installed,
	removeFoldersAfterAll,
	serveHere,
} from './installation.ts';
import { cheapProgram, compiled, newFolder, Program, root, runToEnd } from './program.ts';
import { isRoot } from './root.ts';
import { firstStartWas, given, serve, withDatabase } from './server.ts';
import { smallDiskFor } from './small-disk.ts';
import { noteUntested } from './untested.ts';
import { adminPassword } from './world.ts';

removeFoldersAfterAll();
beforeAll(install);

if (!isRoot) noteUntested('files of other users', 'only root can act as several users');
describe.skipIf(!isRoot)('files of other users', () => {
	const owner = 'daemon';
	const [ownerId, strangerId] = [1, 65_534];
	const as = (id: number) => ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', ...compiled()];

	function chown(user: string, path: string): void {
		expect(Bun.spawnSync(['chown', '-R', `${user}:`, path]).success).toBe(true);
	}

	/** Makes an installation of the owner, in a folder that everybody can enter. */
	function folderOfOwner(): string {
		const outer = newFolder(0o755);
		const folder = join(outer, 'data');
		cpSync(installed.folder, folder, { recursive: true });
		chmodSync(folder, 0o700);
		chown(owner, folder);
		return folder;
	}

	function ownersIn(folder: string): string[] {
		const listed = Bun.spawnSync(['find', folder, '-printf', '%u\n']).stdout.toString().trim().split('\n');
		return Array.from(new Set(listed));
	}

	test('commands that root runs leave files that belong to the owner of the folder', async () => {
		const folder = folderOfOwner();
		firstStartWas(1, folder);
		chown(owner, folder);
		const environment = { DATA_DIR: folder };
		const program = await Program.start({ environment });
		await program.wrote(/"message":"backed up".*\n/);
		expect(existsSync(`${databaseOf(folder)}-wal`)).toBe(true);
		expect(ownersIn(folder)).toEqual([owner]);
		await program.end();
		for (const args of [['backup'], ['restore', installed.backup], ['admin', 'reset-password'], ['check']]) {
			const { code, stderr } = await runToEnd({ command: [...compiled(), ...args], environment });
			expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
			expect([args, ownersIn(folder)]).toEqual([args, [owner]]);
		}
		await using _again = await Program.start({ command: as(ownerId), environment });
		const target = newFolder();
		expect(await accessBinary(folder, ['backup', target])).toMatchObject({ code: 0 });
		expect(ownersIn(target)).toEqual(['root']);
		const [copies, key] = [newFolder(), join(newFolder(), 'key')];
		chown(owner, copies);
		writeFileSync(key, 'k'.repeat(44), { mode: 0o640 });
		chmodSync(dirname(key), 0o755);
		// The owner may read it by their group, which need not be the group of the folder.
		chownSync(key, 0, ownerId);
		chownSync(folder, ownerId, 0);
		const settings = { ...environment, BACKUP_TO: copies, BACKUP_KEY_FILE: key };
		const backup = await runToEnd({ command: [...cheapProgram, 'backup', copies], environment: settings });
		expect(backup).toMatchObject({ code: 0 });
		expect(ownersIn(copies)).toEqual([owner]);

		// The secrets of a named copy come along from a folder that is closed to the owner, and from one that they cannot list.
		chown('root', copies);
		const copy = join(copies, readdirSync(copies).find((name) => name.endsWith('.db.age')) ?? '');
		for (const [program, mode] of [
			[cheapProgram, 0o700],
			[as(ownerId), 0o711],
		] as const) {
			chmodSync(copies, mode);
			for (const name of readdirSync(copies)) chmodSync(join(copies, name), 0o644);
			const fresh = { ...settings, DATA_DIR: folderOfOwner() };
			const back = await runToEnd({ command: [...program, 'restore', copy], environment: fresh });
			expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('secrets.json came with it') });
			expect(ownersIn(fresh.DATA_DIR)).toEqual([owner]);
		}
	});

	const byMode = 'change the owner or mode with chown or chmod';

	/** Returns the end of a refusal: the owner of the path, the user and the remedy. */
	function denied(closed: string, whose = 'root', user = owner, remedy = `run this as ${whose}, or ${byMode}`): string {
		return `permission denied (${closed} belongs to ${whose}, this runs as ${user}): ${remedy}`;
	}

	const strange = ['serve', 'restore /nowhere', 'history export'];
	test.each(strange)('%s by a stranger fails in one line that names the folder and its owner', async (line) => {
		const folder = folderOfOwner();
		const command = [...as(strangerId), ...line.split(' ')];
		const ended = await runToEnd({ command, environment: { DATA_DIR: folder } });
		expect(ended).toEqual(failed);
		const [, used] = /^cannot use (\S+): /.exec(ended.stderr) ?? [];
		expect(ended.stderr).toBe(`cannot use ${used}: ${denied(used === folder ? 'it' : folder, owner, 'nobody')}\n`);
	});

	test('a file that its own user may not use is reported with the missing right', async () => {
		const folder = folderOfOwner();
		chmodSync(databaseOf(folder), 0);
		const { stderr } = await runToEnd({ command: as(ownerId), environment: { DATA_DIR: folder } });
		const whose = `it belongs to ${owner}, this runs as ${owner}`;
		const remedy = `run chmod u+rwX ${databaseOf(folder)}`;
		expect(stderr).toBe(`cannot use ${databaseOf(folder)}: permission denied (${whose}): ${remedy}\n`);
	});

	/** Stores a certificate as certbot does: a link in one closed folder to a file in another. */
	function likeCertbot(): Record<string, string> {
		const outer = dirname(folderOfOwner());
		for (const name of ['live', 'archive']) mkdirSync(join(outer, name), { mode: 0o700 });
		const { TLS_CERT_FILE, TLS_KEY_FILE } = makeCertificate(join(newFolder(), 'server'), { days: 30 });
		renameSync(TLS_CERT_FILE, join(outer, 'archive/cert1.pem'));
		renameSync(TLS_KEY_FILE, join(outer, 'archive/key1.pem'));
		for (const name of ['cert', 'key']) symlinkSync(`../archive/${name}1.pem`, join(outer, `live/${name}.pem`));
		return { TLS_CERT_FILE: join(outer, 'live/cert.pem'), TLS_KEY_FILE: join(outer, 'live/key.pem') };
	}

	/** The environment of the owner, and the root-owned file or folder that blocks them by mistake. */
	type Mistake = [environment: Record<string, string>, closed: string];

	function fileOfRoot(name: string): Mistake {
		const folder = folderOfOwner();
		writeFileSync(join(folder, 'secrets.json'), '{}', { mode: 0o600 });
		chown(owner, folder);
		chown('root', join(folder, name));
		return [{ DATA_DIR: folder }, join(folder, name)];
	}
	const mistakes: [string, () => Mistake][] = [
		['the access.db is of root', () => fileOfRoot('access.db')],
		[
			'the access.db is of root, and everybody can read it',
			() => {
				const mistake = fileOfRoot('access.db');
				chmodSync(mistake[1], 0o644);
				return mistake;
			},
		],
		['the secrets.json is of root', () => fileOfRoot('secrets.json')],
		[
			'root copied the data folder',
			() => {
				const folder = folderOfOwner();
				chown('root', folder);
				return [{ DATA_DIR: folder }, folder];
			},
		],
		[
			'the folder above the data folder is of root',
			() => {
				const outer = dirname(folderOfOwner());
				return [{ DATA_DIR: join(outer, 'more/data') }, outer];
			},
		],
		...['SETTINGS_FILE', 'JWT_SECRET_FILE'].map((variable): [string, () => Mistake] => [
			`the file of ${variable} is for root only`,
			() => {
				const path = join(dirname(folderOfOwner()), 'file');
				writeFileSync(path, '', { mode: 0o600 });
				return [{ [variable]: path }, path];
			},
		]),
		[
			'a certificate is in a folder for root only',
			() => {
				const { TLS_CERT_FILE = '', TLS_KEY_FILE = '' } = likeCertbot();
				return [{ TLS_CERT_FILE, TLS_KEY_FILE }, dirname(TLS_CERT_FILE)];
			},
		],
	];

	test.each(mistakes)('when %s, a start names its owner, the user and the remedy', async (_, make) => {
		const [environment, closed] = make();
		const ended = await runToEnd({ command: as(ownerId), environment: { DATA_DIR: folderOfOwner(), ...environment } });
		expect(ended).toEqual(failed);
		const [, used] = /cannot use (\S+): /.exec(ended.stderr) ?? [];
		expect(ended.stderr).toEndWith(`cannot use ${used}: ${denied(used === closed ? 'it' : closed)}\n`);
	});

	test.each([
		['by root', compiled(), byMode],
		['by its owner', as(ownerId), undefined],
	])('a check %s names a key that the owner cannot read, and makes every other check', async (_, command, remedy) => {
		const folder = folderOfOwner();
		const closed = join(dirname(folder), 'of-root');
		mkdirSync(closed, { mode: 0o700 });
		const BACKUP_KEY_FILE = join(closed, 'backup.key');
		writeFileSync(BACKUP_KEY_FILE, 'k'.repeat(44));
		const environment = { ...given, DATA_DIR: folder, BACKUP_KEY_FILE, BACKUP_TO: newFolder() };
		const { code, stdout, stderr } = await runToEnd({ command: [...command, 'check'], environment });
		expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
		expect(stdout.match(/^\w+ +[a-z ]+(?=:)/gm)?.map((line) => line.slice(5))).toEqual([...checkNames]);
		const failure = `fail copies: BACKUP_KEY_FILE: cannot use ${BACKUP_KEY_FILE}: ${denied(closed, 'root', owner, remedy)}`;
		expect(stdout.match(/^(warn|fail).*/gm)).toEqual([failure]);
	});

	test('nothing appears in a folder that the user may write to but not open for the sync', async () => {
		const place = newFolder(0o733);
		const environment = { ...given, DATA_DIR: folderOfOwner() };
		const { stderr } = await runToEnd({ command: [...as(ownerId), 'backup', join(place, 'copy.db')], environment });
		expect(stderr).toMatch(/\ncannot use \S+copy\.db: permission denied/);
		expect(readdirSync(place)).toEqual([]);
	});

	test('a restore of the newest copy names the copy that the owner cannot read, and sends root nowhere else', async () => {
		const place = newFolder(0o755);
		const copy = join(place, 'automatic-20260101T000000Z.db');
		writeFileSync(copy, 'a copy', { mode: 0o600 });
		const ended = await accessBinary(folderOfOwner(), ['restore', '--verify', join(place, 'latest')]);
		expectFailed(ended, `cannot use ${copy}: ${denied('it', 'root', owner, byMode)}`);
	});

	test('root without any capability, as in a container, works in its own folder', async () => {
		const command = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', ...compiled(), 'check', '--only', 'database'];
		expect(await runToEnd({ command, environment: { DATA_DIR: copyOfInstalled() } })).toMatchObject({ code: 0 });
	});

	const mayMount = isRoot && Bun.spawnSync(['sh', '-c', 'unshare --mount true']).success;
	if (isRoot && !mayMount) noteUntested('further groups of users', 'another list of groups takes a mount');
	test.skipIf(!mayMount)('root has all groups of the user that it works as, such as that of the keys', () => {
		const [folder, outside] = [folderOfOwner(), newFolder(0o755)];
		const [groups, key] = [join(outside, 'group'), join(outside, 'key')];
		writeFileSync(groups, `${readFileSync('/etc/group', 'utf8')}keys:x:4242:backup,${owner}\n`);
		writeFileSync(key, 'k'.repeat(44), { mode: 0o640 });
		chownSync(key, 0, 4242);
		const settings = { DATA_DIR: folder, BACKUP_TO: outside, BACKUP_KEY_FILE: key };
		const module = `${root}/src/platform/machine/folder-owner.ts`;
		const asInstaller = `require("${module}").asUser({ uid: 1, gid: 1 }, () => fs.readFileSync("${key}"))`;
		for (const command of [
			[...compiled(), 'check', '--only', 'copies'],
			[process.execPath, '-e', asInstaller],
		]) {
			const inNamespace = ['unshare', '--mount', 'sh', '-c', `mount --bind ${groups} /etc/group && exec "$@"`, 'sh'];
			expect(Bun.spawnSync([...inNamespace, ...command], { env: settings })).toMatchObject({ exitCode: 0 });
		}
	});

	test('the owner of the data folder notifies the recipients, also when root watches', async () => {
		const folder = folderOfOwner();
		const environment = { ...given, DATA_DIR: folder, PORT: '1', ALERT_COMMAND: `id > ${folder}/told` };
		expect(await runToEnd({ command: [...compiled(), 'check', '--watch'], environment })).toMatchObject({ code: 0 });
		const [uid, gid, groups] = ['uid', 'gid', 'groups'].map((name) => `${name}=${ownerId}(${owner})`);
		expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(`${uid} ${gid} ${groups}\n`);
		expect(ownersIn(folder)).toEqual([owner]);
	});

	const firstFreePort = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
	const isLimited = existsSync(firstFreePort) && Number(readFileSync(firstFreePort, 'utf8')) > 443;
	test.skipIf(!isRoot || !isLimited)('on port 443 names the user without the right, and the setting', async () => {
		const environment = { ...given, DATA_DIR: folderOfOwner(), PORT: '443' };
		const ended = await runToEnd({ command: as(ownerId), environment });
		const remedy = 'choose a port from 1024 on, or give the unit AmbientCapabilities=CAP_NET_BIND_SERVICE';
		expectFailed(ended, `cannot listen on HOST=127.0.0.1 PORT=443: daemon may not use port 443, ${remedy}`);
	});
});

describe('a small disk', () => {
	test('that is read-only fails every command in one line', async () => {
		using disk = smallDiskFor('commands on a read-only disk', 10);
		if (disk === undefined) return;
		const [stopped, crashed] = [join(disk.path, 'stopped'), join(disk.path, 'crashed')];
		const used = copyOfInstalled();
		cpSync(used, stopped, { recursive: true });
		// A kill leaves the log.
		withDatabase(databaseOf(used), (database) => {
			database.run('select * from stores');
			cpSync(used, crashed, { recursive: true });
		});
		expect(readdirSync(crashed)).toContain('access.db-wal');
		disk.makeReadOnly();
		const commands = [['serve'], ['admin', 'reset-password'], ['restore', installed.backup]];
		for (const [folder, args] of [stopped, crashed].flatMap((each) => commands.map((args) => [each, args] as const))) {
			const { code, stderr } = await access(folder, args);
			expect([folder, args, code]).toEqual([folder, args, 1]);
			const lines = stderr.split('\n').filter((line) => !/^((verifying|copying) the backup|)$/.test(line));
			expect(lines).toEqual([
				`cannot use ${databaseOf(folder)}: the file system is mounted read-only, mount it with write access`,
			]);
		}
	});

	test.each([true, false])('that is full (served: %p) fails what writes, and check says so', async (isServed) => {
		using disk = smallDiskFor('commands on a full disk', 4);
		if (disk === undefined) return;
		const folder = join(disk.path, 'data');
		// After a first start all data is still in the log, and a command would write it to the database when it ends.
		const program = isServed ? await serve({ DATA_DIR: folder }) : undefined;
		if (program) await program.signIn('admin', adminPassword);
		else cpSync(installed.folder, folder, { recursive: true });
		disk.fill();
		for (const line of ['admin reset-password', 'admin rename owner']) {
			expectFailed(await access(folder, line.split(' ')), 'the disk is full, make room');
		}
		const checked = await access(folder, ['check']);
		expect(checked.code).toBe(1);
		expect(checked.stdout).toContain(`fail free disk: the disk of ${folder} is full: make room\n`);
		if (program) {
			expect(checked.stdout).toContain('ok   database: ');
			expect((await access(folder, ['history', 'export'])).code).toBe(0);
			expect(await program.end()).toBe(0);
		}
		disk.makeRoom();
		await using again = await serveHere({ DATA_DIR: folder, ...given });
		expect(await again.signIn('admin', adminPassword)).toBeString();
	});
});
