/** Watching: figures for Prometheus, and notifications of problems. */
import { afterEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installingMark, watch } from '../src/commands/watch.ts';
import { readConfig } from '../src/platform/machine/config.ts';
import { makeCertificate } from './certificate.ts';
import { expectFailed, removeFoldersAfterAll, serveHere } from './installation.ts';
import { cheapProgram, freePort, newFolder, root, runToEnd } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation } from './server.ts';
import { adminPassword, initialPassword } from './world.ts';

removeFoldersAfterAll();
afterEach(() => setSystemTime());

describe('METRICS_LISTEN', () => {
	test('answers figures for each route on an address of its own, without names and phones', async () => {
		const METRICS_LISTEN = `127.0.0.1:${freePort()}`;
		const DATA_DIR = await newInstallation();
		expect((await runHere(['backup'], { DATA_DIR })).code).toBe(0);
		await using program = await serveHere({ DATA_DIR, ...given, ...makeCertificate(), METRICS_LISTEN });
		const token = await program.signIn('admin', adminPassword);
		await program.send('POST', '/api/stores', { token, body: { name: '人民路店' } });
		const [phone, name] = ['13800138000', '王芳'];
		await program.send('POST', '/api/employees', { token, body: { storeId: 1, name, phone } });
		await program.send('POST', '/api/auth/login', { body: { username: phone, password: initialPassword } });
		for (let round = 0; round < 2; round += 1) await program.send('GET', '/api/employees/1', { token });
		await program.send('GET', '/nowhere');
		const answer = await fetch(`http://${METRICS_LISTEN}/metrics`);
		const text = await answer.text();
		expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
		const labels = '{method="GET",route="/api/employees/:id",status="200"';
		expect(text).toContain(`access_request_duration_seconds_count${labels}} 2\n`);
		expect(text).toContain(`access_request_duration_seconds_bucket${labels},le="+Inf"} 2\n`);
		expect(text).toContain('access_request_duration_seconds_count{method="GET",route="",status="404"} 1\n');
		const gauges = 'database_bytes disk_free_bytes backup_timestamp_seconds certificate_end_timestamp_seconds';
		for (const name of gauges.split(' ')) expect(text).toMatch(new RegExp(`^access_${name} [1-9]\\d+$`, 'm'));
		for (const line of text.trim().split('\n'))
			expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+)$/);
		for (const secret of [phone, name, token]) expect(text).not.toContain(secret);
		expect((await fetch(`http://${METRICS_LISTEN}/api/auth/me`)).status).toBe(404);
		expect((await program.send('GET', '/metrics')).status).toBe(404);
		renameSync(DATA_DIR, `${DATA_DIR}-elsewhere`);
		const missing = await fetch(`http://${METRICS_LISTEN}/metrics`);
		expect([missing.status, await missing.text()]).toEqual([200, expect.not.stringContaining('disk_free_bytes')]);
		renameSync(`${DATA_DIR}-elsewhere`, DATA_DIR);
	});

	test.each([
		['9464', /^METRICS_LISTEN is "9464", but takes an address and a port/],
		[
			'192.0.2.1:9464',
			/^METRICS_LISTEN=192\.0\.2\.1:9464 cannot be used: the host is not an address of this machine, choose one/,
		],
	])('%s stops the start', async (METRICS_LISTEN, says) => {
		const ended = await runHere(['serve'], { DATA_DIR: await newInstallation(), ...given, METRICS_LISTEN });
		expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
	});

	test('that another server has stops the start: figures of both would be mixed', async () => {
		const METRICS_LISTEN = `127.0.0.1:${freePort()}`;
		await using _other = await serveHere({ DATA_DIR: await newInstallation(), ...given, METRICS_LISTEN });
		const ended = await runHere(['serve'], { DATA_DIR: await newInstallation(), ...given, METRICS_LISTEN });
		expectFailed(ended, `${METRICS_LISTEN} cannot be used: another program listens there`);
	});
});

describe('access check --watch', () => {
	/** A robot that keeps its messages, and refuses while `problem` is set. */
	function startRobot() {
		const posted: string[] = [];
		const state = { problem: undefined as string | undefined };
		const server = Bun.serve({
			port: 0,
			async fetch(request) {
				const body = (await request.json()) as { msgtype: string; text: { content: string } };
				const text = body.text.content;
				const ofRobots = { msgtype: 'text', text: { content: text }, msg_type: 'text', content: { text } };
				expect(body as unknown).toEqual(ofRobots);
				if (state.problem !== undefined) return Response.json({ errcode: 310_000, errmsg: state.problem });
				posted.push(text);
				return Response.json({ errcode: 0 });
			},
		});
		return { posted, state, ALERT_URL: server.url.href, [Symbol.dispose]: () => server.stop(true) };
	}

	/** The lines of an alert below its first one, which names the machine. */
	const linesOf = (text: string | undefined) => text?.replace(/^access on .+\n/, '').split('\n') ?? [];

	test('notifies a robot and a command once when the service stops, and once when it is back', async () => {
		const [PORT, file] = [freePort(), join(newFolder(), 'told')];
		using robot = startRobot();
		const alerts = { ALERT_URL: robot.ALERT_URL, ALERT_COMMAND: `cat >> ${file}` };
		const settings = { DATA_DIR: await newInstallation(), ...given, PORT, ...makeCertificate(), ...alerts };
		const watch = () => runHere(['check', '--watch'], settings);
		const service = await serveHere(settings);
		await watch();
		const before = robot.posted.length;
		await service.end();
		const told = await watch();
		expect(await watch()).toEqual({ code: 0, stdout: '', stderr: '' });
		const again = await serveHere(settings);
		await watch();
		await again.end();
		const [stopped = '', ...rest] = robot.posted.slice(before);
		expect(linesOf(stopped)).toEqual([`service: nothing answers at https://127.0.0.1:${PORT}: look at its log`]);
		expect(rest.map(linesOf)).toEqual([['service: well again']]);
		expect(readFileSync(file, 'utf8')).toBe(robot.posted.join(''));
		expect(told).toEqual({ code: 0, stdout: `${stopped}\n`, stderr: '' });
	});

	test('makes the quick checks, all checks once a day, and reports each problem of a check once, whatever its numbers', async () => {
		const DATA_DIR = await newInstallation();
		const expired = join(root, 'test/fixtures/expired-certificate.pem');
		const watch = async (settings: Record<string, string>) => {
			const environment = { DATA_DIR, ...given, PORT: '1', ALERT_COMMAND: 'true', ...settings };
			const { stdout } = await runHere(['check', '--watch'], environment);
			return linesOf(stdout).flatMap((line) => /^[a-z ]+: /.exec(line) ?? []);
		};
		const soon = makeCertificate(join(newFolder(), 'soon'), { days: 3 });
		const over = { TLS_CERT_FILE: expired, TLS_KEY_FILE: expired };
		chmodSync(DATA_DIR, 0o755);
		const weak = { ...soon, JWT_SECRET: 'short' };
		expect(await watch(weak)).toEqual(['configuration: ', 'file modes: ', 'certificate: ', 'service: ']);
		chmodSync(DATA_DIR, 0o700);
		for (const news of [['configuration: '], []]) expect(await watch(soon)).toEqual(news);
		const exposed = makeCertificate(join(newFolder(), 'exposed'), { days: 30 });
		chmodSync(exposed.TLS_KEY_FILE, 0o644);
		for (const files of [over, soon, over, exposed, soon]) {
			for (const news of [['certificate: '], []]) expect(await watch(files)).toEqual(news);
		}
		const backups = join(DATA_DIR, 'backups');
		mkdirSync(backups, { mode: 0o700 });
		const add = (path: string, content = '') => writeFileSync(path, content, { mode: 0o600 });
		const steps: [string[], () => void][] = [
			[['backups: '], () => add(join(backups, 'backup-29990101T000000Z.db'))],
			[['backups: '], () => add(join(DATA_DIR, 'backup-problems.json'), '{"backup":"one cause"}')],
			[[], () => add(join(DATA_DIR, 'backup-problems.json'), '{"backup":"another cause"}')],
			[['backups: '], () => add(join(backups, 'backup-20250101T000000Z.db'))],
			[[], () => rmSync(join(DATA_DIR, 'backup-problems.json'))],
		];
		for (const [news, change] of steps) {
			change();
			expect(await watch(soon)).toEqual(news);
		}
		// A problem of what is not checked any more is not solved.
		const inside = { ...soon, BACKUP_TO: join(DATA_DIR, 'copies') };
		for (const [settings, news] of [[inside, ['copies: ']] as const, [soon, []] as const])
			expect(await watch(settings)).toEqual([...news]);
		setSystemTime(Date.now() + 24 * 3_600_000);
		for (const news of [['file modes: '], []]) expect(await watch(soon)).toEqual(news);
	});

	test('is silent during an installation, but not after the installer was killed or took an hour', async () => {
		const SETTINGS_FILE = join(newFolder(), 'access.conf');
		writeFileSync(SETTINGS_FILE, `DATA_DIR=${await newInstallation()}\nPORT=1\n`);
		const mark = installingMark(SETTINGS_FILE);
		mkdirSync(dirname(mark));
		const watch = async () => (await runHere(['check', '--watch'], { SETTINGS_FILE, PORT: '' })).stdout;
		writeFileSync(mark, `${process.pid}\n`);
		expect(await watch()).toBe('');
		// The state file is allocated before the disk can be full.
		expect(statSync(join(readConfig({ SETTINGS_FILE }).DATA_DIR, 'watch.json')).size).toBe(16_384);
		writeFileSync(mark, '999999999\n');
		expect(await watch()).toContain('\nservice: nothing answers');
		writeFileSync(mark, `${process.pid}\n`);
		setSystemTime(Date.now() + 1.1 * 3_600_000);
		expect(await watch()).not.toContain('service');
		rmSync(join(readConfig({ SETTINGS_FILE }).DATA_DIR, 'watch.json'));
		expect(await watch()).toContain('\nservice: nothing answers');
	});

	test('reports a wrong setting at once, and once, while its unit fails, and the correction', async () => {
		const SETTINGS_FILE = join(newFolder(), 'access.conf');
		const told = join(newFolder(), 'told');
		const good = `DATA_DIR=${await newInstallation()}\nALERT_COMMAND=cat >> ${told}\n`;
		const watch = async (more = '') => {
			writeFileSync(SETTINGS_FILE, good + more);
			writeFileSync(told, '');
			const { code, stderr } = await runHere(['check', '--watch'], { SETTINGS_FILE, PORT: '' });
			return { code, stderr, told: linesOf(readFileSync(told, 'utf8')) };
		};
		await watch();
		const unknown = `${SETTINGS_FILE} sets HISTORY_DYAS, which is not a variable of this program: see access --help`;
		const port = 'PORT is "x", but takes a port number from 0 to 65535, 0 for any free one';
		const failed = { code: 1, stderr: `${unknown}\n${port}\n` };
		const wrong = 'HISTORY_DYAS=3\nPORT=x\n';
		expect(await watch(wrong)).toEqual({ ...failed, told: [`configuration: ${unknown}; ${port}`] });
		expect(await watch(wrong)).toEqual({ ...failed, told: [''] });
		expect(await watch()).toEqual({ code: 0, stderr: '', told: ['configuration: well again'] });
		// A message about a folder that nobody chose would mislead.
		const folder = 'DATA_DRI=/srv\nDATA_DIR=/nowhere\n';
		expect((await watch(folder)).told).toEqual([expect.stringContaining('DATA_DRI, which is not a variable')]);
	});

	test.each(['', 'null', '[]', '{}', '{"inspected":1}', '{"inspected":"","findings":[{}],"known":{}}'])(
		'with the state %j notifies as if there were none, and then knows what it reported',
		async (state) => {
			const settings = { DATA_DIR: await newInstallation(), ...given, PORT: '1' };
			writeFileSync(join(settings.DATA_DIR, 'watch.json'), state);
			const { stdout, ...ended } = await runHere(['check', '--watch'], settings);
			expect(ended).toEqual({ code: 0, stderr: '' });
			expect(stdout).toContain('\nservice: nothing answers');
			expect(await runHere(['check', '--watch'], settings)).toEqual({ code: 0, stdout: '', stderr: '' });
		},
	);

	test('that cannot use its state notifies each time, and says why in one line, although a setting is wrong', async () => {
		const DATA_DIR = newFolder();
		mkdirSync(join(DATA_DIR, 'watch.json'));
		const says = /^cannot use .*: it is a folder, .*\n$/;
		for (const PORT of ['1', '1', 'x']) {
			const { code, stderr, stdout } = await runHere(['check', '--watch'], { DATA_DIR, PORT });
			expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
			expect(stdout).toContain('\nservice: nothing answers');
		}
	});

	test('notifies once that the data folder is missing, and makes all checks once it is back', async () => {
		const [STATE_DIRECTORY, DATA_DIR] = [newFolder(), await newInstallation()];
		const watch = async () => {
			const { code, stdout } = await runHere(['check', '--watch'], { DATA_DIR, STATE_DIRECTORY, ...given, PORT: '1' });
			return { code, lines: linesOf(stdout) };
		};
		chmodSync(DATA_DIR, 0o755);
		renameSync(DATA_DIR, `${DATA_DIR}-elsewhere`);
		const missing = `free disk: cannot use ${DATA_DIR}: it or its folder is not there, check the path`;
		const lines = [missing, expect.stringMatching(/^service: nothing/), expect.stringMatching(/^nobody else/), ''];
		expect(await watch()).toEqual({ code: 0, lines });
		expect(await watch()).toEqual({ code: 0, lines: [''] });
		renameSync(`${DATA_DIR}-elsewhere`, DATA_DIR);
		expect((await watch()).lines).toEqual([
			expect.stringMatching(/^file modes: others can read/),
			'free disk: well again',
			...lines.slice(2),
		]);
	});

	test('goes on with the state that an earlier version left in the data folder', async () => {
		const settings = { DATA_DIR: await newInstallation(), ...given, PORT: '1' };
		expect((await runHere(['check', '--watch'], settings)).stdout).toContain('service: nothing answers');
		const upgraded = { ...settings, STATE_DIRECTORY: newFolder() };
		expect(await runHere(['check', '--watch'], upgraded)).toMatchObject({ code: 0, stdout: '' });
		rmSync(join(settings.DATA_DIR, 'watch.json'));
		expect(await runHere(['check', '--watch'], upgraded)).toMatchObject({ code: 0, stdout: '' });
	});

	test('with a service that answers 503 does not say that nothing answers', async () => {
		using service = Bun.serve({ port: 0, fetch: () => new Response('', { status: 503 }) });
		const settings = { DATA_DIR: await newInstallation(), ...given, PORT: `${service.port}` };
		const { stdout } = await runHere(['check', '--watch'], settings);
		expect(stdout).toContain(
			`\nservice: it answers 503 at http://127.0.0.1:${service.port}, so nothing can be changed: look at its log\n`,
		);
	});

	test('asks the service itself, not the proxy that the environment names', async () => {
		using service = Bun.serve({ port: 0, fetch: () => new Response() });
		const environment = { PORT: `${service.port}`, HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' };
		const { stdout } = await runToEnd({ command: [...cheapProgram, 'health'], environment });
		expect(stdout).toBe('it answers\n');
	});

	test('without a recipient, its log has each problem once and how to be notified; a later recipient is notified, too', async () => {
		const settings = { DATA_DIR: await newInstallation(), ...given, PORT: '1' };
		// A problem of the daily checks, with many files.
		for (const name of '123456789') writeFileSync(join(settings.DATA_DIR, name.repeat(40)), '', { mode: 0o644 });
		const first = await runHere(['check', '--watch'], settings);
		expect(first).toMatchObject({ code: 0, stderr: '' });
		expect(first.stdout).toEndWith('\nnobody else is notified: set ALERT_COMMAND or ALERT_URL\n');
		expect(await runHere(['check', '--watch'], settings)).toEqual({ code: 0, stdout: '', stderr: '' });
		using robot = startRobot();
		const { ALERT_URL } = robot;
		robot.state.problem = 'keywords not in content';
		const refused = { code: 1, stdout: '', stderr: 'ALERT_URL failed: it answers keywords not in content\n' };
		for (let round = 0; round < 2; round += 1) {
			expect(await runHere(['check', '--watch'], { ...settings, ALERT_URL })).toEqual(refused);
		}
		robot.state.problem = undefined;
		await runHere(['check', '--watch'], { ...settings, ALERT_URL });
		expect(robot.posted.flatMap(linesOf)).toEqual([
			expect.stringMatching(/^service: nothing answers/),
			// Shortened, because a robot refuses a long text.
			expect.stringMatching(/^file modes: others can read .{300,400}…$/),
		]);
	});

	test('a whole check that was killed waits for the next day, so that the quick checks go on', async () => {
		const config = readConfig({ SETTINGS_FILE: '/dev/null', DATA_DIR: newFolder() });
		const looks: boolean[] = [];
		const look = async (isWhole: boolean) => {
			looks.push(isWhole);
			throw new Error('killed');
		};
		for (const _ of [1, 2]) await watch({ environment: {}, write: async () => {} }, config, look).catch(() => {});
		expect(looks).toEqual([true, false]);
	});

	test.each(['', 'ok', 'null', '[]', '{}', '{"errcode":0}'])('a robot that answers %j was notified', async (body) => {
		using robot = Bun.serve({ port: 0, fetch: () => new Response(body, { status: body === '' ? 204 : 200 }) });
		const settings = { DATA_DIR: newFolder(), ALERT_URL: robot.url.href };
		expect(await runHere(['alert'], settings)).toMatchObject({ code: 0, stderr: '' });
	});

	test.each([
		['a command that fails', { ALERT_COMMAND: 'echo no line >&2; exit 3' }, /^ALERT_COMMAND failed: no line\n$/],
		['a robot that is not there', { ALERT_URL: 'http://127.0.0.1:1/' }, /^ALERT_URL failed: nothing answers there\n$/],
		['no URL', { ALERT_URL: 'robot' }, /^ALERT_URL is 5 bytes, but takes a URL/],
	])('with %s fails and says so', async (_what, settings, says) => {
		const environment = { DATA_DIR: await newInstallation(), PORT: '1', ...(settings as Record<string, string>) };
		const ended = await runHere(['check', '--watch'], environment);
		expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
	});

	test('a command has its time and no more, with all that it started, and a robot does not wait for it', async () => {
		const file = join(newFolder(), 'started');
		using robot = startRobot();
		const alert = (command: string) =>
			runHere(['alert'], {
				DATA_DIR: newFolder(),
				ALERT_URL: robot.ALERT_URL,
				ALERT_COMMAND: `cat > /dev/null; sleep 600 & echo $! > ${file}; ${command}`,
			});
		expect(await alert('exit 0')).toMatchObject({ code: 0, stderr: '' });
		process.kill(Number(readFileSync(file, 'utf8')));
		expect(await alert('exit 3')).toMatchObject({ code: 1, stderr: 'ALERT_COMMAND failed: code 3\n' });
		process.kill(Number(readFileSync(file, 'utf8')));
		rmSync(file);
		const { sleep } = Bun;
		// The time is over as soon as the command has started another one.
		using _over = spyOn(Bun, 'sleep').mockImplementation(async () => {
			while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(5);
		});
		const said = 'ALERT_COMMAND failed: it did not end within 20 seconds\n';
		expect(await alert('wait')).toMatchObject({ code: 1, stderr: said });
		const state = () => Bun.spawnSync(['ps', '-o', 'stat=', '-p', readFileSync(file, 'utf8').trim()]).stdout.toString();
		// A dead process may still wait for its parent to notice.
		while (!/^(Z|$)/.test(state())) await sleep(5);
		expect(robot.posted).toHaveLength(3);
	});
});
