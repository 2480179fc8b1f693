/** `access check --watch`: tells somebody once when something starts to fail, and once when all is well again. */
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../machine/config.ts';
import type { DataFolder } from '../machine/data-folder.ts';
import { parseJson, writeDurably } from '../machine/durable-file.ts';
import { isHealthy, localUrl } from '../machine/local-service.ts';
import { messageOf, OperationError } from '../vocabulary/errors.ts';

/** One line of the report. */
export interface Finding {
	check: string;
	result: 'ok' | 'warn' | 'fail';
	/** What was found, and for a warning or failure what to do about it. */
	message: string;
}

/** Whether the service answers on this machine. */
export async function checkService(config: Config): Promise<Omit<Finding, 'check'>> {
	if (await isHealthy(config)) return { result: 'ok', message: 'it answers' };
	return { result: 'fail', message: `nobody answers at ${localUrl(config)}: look into its log` };
}

/**
 * Tells what is wrong now and was not at the last call, and what is well again.
 * @throws OperationError when nobody could be reached; the next call tells it again.
 */
export async function tellChanges(config: Config, { path }: DataFolder, findings: readonly Finding[]): Promise<void> {
	const state = join(path, 'watch.json');
	const known = existsSync(state) ? parseJson(readFileSync(state, 'utf8')) : [];
	const before = new Set(Array.isArray(known) ? known.map(String) : []);
	const wrong = findings.filter(({ result }) => result !== 'ok');
	const started = wrong.filter(({ check }) => !before.has(check));
	const ended = findings.filter(({ check, result }) => result === 'ok' && before.has(check));
	if (started.length === 0 && ended.length === 0) return;
	const lines = [
		...started.map(({ check, message }) => `${check}: ${message}`),
		...ended.map(({ check }) => `${check}: well again`),
	];
	await tell(config, `access on ${hostname()}\n${lines.join('\n')}`);
	writeDurably(state, JSON.stringify(wrong.map(({ check }) => check)));
}

/** How long somebody who is told may take, in milliseconds. */
const patience = 20_000;

async function tell({ ALERT_COMMAND, ALERT_URL }: Config, text: string): Promise<void> {
	if (ALERT_COMMAND === undefined && ALERT_URL === undefined) {
		throw new OperationError('nobody is told: set ALERT_COMMAND or ALERT_URL');
	}
	if (ALERT_COMMAND !== undefined) await runCommand(ALERT_COMMAND, text);
	if (ALERT_URL !== undefined) await post(ALERT_URL, text);
}

/** The text is on standard input. */
async function runCommand(command: string, text: string): Promise<void> {
	const child = Bun.spawn(['sh', '-c', command], {
		stdin: new Blob([text]),
		stdout: 'ignore',
		stderr: 'pipe',
		timeout: patience,
	});
	const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
	if (code !== 0) throw new OperationError(`ALERT_COMMAND failed: ${said.trim().split('\n', 1)[0] || `code ${code}`}`);
}

/** In the forms of WeCom and DingTalk, and of Feishu; each ignores what the others read. */
async function post(url: string, text: string): Promise<void> {
	const body = { msgtype: 'text', text: { content: text }, msg_type: 'text', content: { text } };
	try {
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(patience),
		});
		if (!answer.ok) throw new Error(`it answers ${answer.status}`);
		const { errcode = 0, code = 0, errmsg, msg } = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
		if (errcode !== 0 || code !== 0) throw new Error(`it answers ${errmsg ?? msg}`);
	} catch (error) {
		throw new OperationError(`ALERT_URL failed: ${messageOf(error)}`);
	}
}
