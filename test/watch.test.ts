/** Watching: figures for Prometheus, and who is told when something starts to fail. */
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import { serveHere } from './installation.ts';
import { newFolder, removeFolders } from './program.ts';
import { runHere } from './run-here.ts';
import { given, newInstallation } from './server.ts';
import { adminPassword, initialPassword } from './world.ts';

afterAll(removeFolders);

function freePort(): number {
	const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
	server.stop(true);
	return server.port;
}

describe('METRICS_LISTEN', () => {
	test('answers figures for each route on an address of its own, without names and phones', async () => {
		const port = freePort();
		const METRICS_LISTEN = `127.0.0.1:${port}`;
		await using program = await serveHere({ DATA_DIR: await newInstallation(), ...given, METRICS_LISTEN });
		const token = await program.signIn('admin', adminPassword);
		await program.send('POST', '/api/stores', { token, body: { name: '人民路店' } });
		const [phone, name] = ['13800138000', '王芳'];
		await program.send('POST', '/api/employees', { token, body: { storeId: 1, name, phone } });
		await program.send('POST', '/api/auth/login', { body: { username: phone, password: initialPassword } });
		for (let round = 0; round < 2; round += 1) await program.send('GET', '/api/employees/1', { token });
		const answer = await fetch(`http://${METRICS_LISTEN}/metrics`);
		const text = await answer.text();
		expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
		const labels = '{method="GET",route="/api/employees/:id",status="200"';
		expect(text).toContain(`access_request_duration_seconds_count${labels}} 2\n`);
		expect(text).toContain(`access_request_duration_seconds_bucket${labels},le="+Inf"} 2\n`);
		expect(text).toMatch(/^access_database_bytes [1-9]\d+$/m);
		for (const line of text.trim().split('\n'))
			expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+)$/);
		for (const secret of [phone, name, token]) expect(text).not.toContain(secret);
		expect((await fetch(`http://${METRICS_LISTEN}/api/auth/me`)).status).toBe(404);
		expect((await program.send('GET', '/metrics')).status).toBe(404);
	});

	test.each([
		['9464', /^METRICS_LISTEN is "9464", but takes an address and a port/],
		['192.0.2.1:9464', /^METRICS_LISTEN=192\.0\.2\.1:9464 cannot be used: /],
	])('%s stops the start', async (METRICS_LISTEN, says) => {
		const ended = await runHere(['serve'], { DATA_DIR: await newInstallation(), ...given, METRICS_LISTEN });
		expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
	});
});

describe('access check --watch', () => {
	test('tells a robot and a command once when the service stops, and once when it is back', async () => {
		const folder = await newInstallation();
		const [PORT, file] = [`${freePort()}`, join(newFolder(), 'told')];
		const posted: string[] = [];
		using robot = Bun.serve({
			port: 0,
			async fetch(request) {
				const { msgtype, text, msg_type, content } = (await request.json()) as Record<
					string,
					{ content: string; text: string }
				>;
				expect({ msgtype, msg_type, same: content?.text }).toEqual({
					msgtype: 'text' as never,
					msg_type: 'text' as never,
					same: text?.content,
				});
				posted.push(text?.content ?? '');
				return Response.json({ errcode: 0 });
			},
		});
		const alerts = { ALERT_URL: robot.url.href, ALERT_COMMAND: `cat >> ${file}` };
		const settings = { DATA_DIR: folder, ...given, PORT, ...makeCertificate(), ...alerts };
		const watch = () => runHere(['check', '--watch'], settings);
		const service = await serveHere(settings);
		await watch();
		const before = posted.length;
		await service.end();
		await watch();
		await watch();
		const again = await serveHere(settings);
		await watch();
		await again.end();
		expect(posted.slice(before)).toEqual([
			expect.stringMatching(/^access on .+\nservice: nobody answers at https:\/\/127\.0\.0\.1:\d+: look into its log$/),
			expect.stringMatching(/^access on .+\nservice: well again$/),
		]);
		expect(readFileSync(file, 'utf8')).toBe(posted.join(''));
	});

	test.each([
		['nobody', {}, /^nobody is told: set ALERT_COMMAND or ALERT_URL\n$/],
		['a command that fails', { ALERT_COMMAND: 'echo no line >&2; exit 3' }, /^ALERT_COMMAND failed: no line\n$/],
		['a robot that is not there', { ALERT_URL: 'http://127.0.0.1:1/' }, /^ALERT_URL failed: /],
		['no URL', { ALERT_URL: 'robot' }, /^ALERT_URL is 5 bytes, but takes a URL/],
	])('with %s says so, and tells it the next time', async (_what, settings, says) => {
		const folder = await newInstallation();
		const watch = (more: Record<string, string>) =>
			runHere(['check', '--watch'], { DATA_DIR: folder, PORT: '1', ...more });
		expect(await watch(settings as Record<string, string>)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(says),
		});
		writeFileSync(join(folder, 'told'), '');
		await watch({ ALERT_COMMAND: `cat > ${join(folder, 'told')}` });
		expect(readFileSync(join(folder, 'told'), 'utf8')).toContain('service: nobody answers');
	});
});
