/** `access check --watch`: tells once what starts to fail or gets worse, and once what is well again. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type Config, readConfig } from '../platform/machine/config.ts';
import { parseJson } from '../platform/machine/durable-file.ts';
import { isThere, withExplanation } from '../platform/machine/file-access.ts';
import { asCaller } from '../platform/machine/folder-owner.ts';
import { healthStatus, localUrl } from '../platform/machine/local-service.ts';
import { isRunning } from '../platform/machine/running.ts';
import { codeOf, messageOf, OperationError } from '../platform/vocabulary/errors.ts';
import { type Data, findData } from './data.ts';
import type { ProcessContext } from './process.ts';

export interface Finding {
	check: string;
	/** `none`: there is nothing to check. */
	result: 'ok' | 'none' | 'warn' | 'fail';
	/** What was found, and for a warning or failure what to do about it. */
	message: string;
}

/** The results of the checks that are not well. */
type Known = Record<string, 'warn' | 'fail'>;

interface State {
	/** The day of the last whole check. */
	inspected: string;
	findings: readonly Finding[];
	/** What each recipient was told. */
	known: Record<string, Known>;
}

/**
 * Makes the quick checks, once a day all of them, and tells each recipient what is new to it: that is no failure of this command.
 * @throws OperationError when somebody could not be told, who is told the next time, or when that cannot be noted.
 */
export async function watch(
	context: Pick<ProcessContext, 'write'>,
	{ config, folder }: Data,
	look: (isWhole: boolean) => Promise<Finding[]>,
): Promise<0> {
	if (isInstalling(config)) return 0;
	const path = join(folder.path, 'watch.json');
	const before = stateIn(path);
	const inspected = new Date().toDateString();
	const isWhole = before.inspected !== inspected;
	// First: a check of everything that is killed is not begun again every ten minutes.
	if (isWhole) await note(path, { ...before, inspected });
	const seen = [...(await look(isWhole)), await checkService(config)].map(shortened);
	const others = isWhole ? [] : before.findings.filter(({ check }) => seen.every((finding) => finding.check !== check));
	const now: State = { inspected, findings: [...seen, ...others], known: {} };
	const problems: (string | undefined)[] = [];
	for (const [recipient, tell] of recipientsOf(config, context)) {
		const known = before.known[recipient] ?? {};
		const { news, after } = newsFor(known, now.findings);
		const problem =
			news.length > 0 ? await problemOf(() => tell(`access on ${hostname()}\n${news.join('\n')}`)) : undefined;
		now.known[recipient] = problem === undefined ? after : known;
		problems.push(problem);
	}
	const said = [...problems, await note(path, now)].filter((problem) => problem !== undefined);
	if (said.length > 0) throw new OperationError(said.join('; '));
	return 0;
}

/** Has the id of the process that installs or upgrades, which stops the service meanwhile. @param settingsFile of the installation */
export function installingMark(settingsFile: string): string {
	return join(dirname(settingsFile), 'access', 'installing');
}

/** For how long an installation may go on before the watch speaks again, in milliseconds. */
const longestInstallation = 60 * 60 * 1000;

/** Whether somebody installs now. One that was killed does not. */
function isInstalling({ settingsFile }: Config): boolean {
	const mark = settingsFile && installingMark(settingsFile);
	if (!mark || !isThere(mark)) return false;
	const isRecent = Date.now() - statSync(mark).mtimeMs < longestInstallation;
	return isRecent && isRunning(Number(readFileSync(mark, 'utf8')));
}

/** `access alert`: tells everybody who is told a test message. @throws OperationError when somebody could not be told. */
export async function alert(context: ProcessContext): Promise<0> {
	for (const tell of recipientsOf(findData(context).config, context).values()) {
		await tell(`access on ${hostname()}\nThis is a test: problems are told here.`);
	}
	return 0;
}

/** `access health`, for containers: 1 when the service does not answer, or that nothing can be changed. */
export async function health({ environment, write }: ProcessContext): Promise<number> {
	const { result, message } = await checkService(readConfig(environment));
	await write(`${message}\n`);
	return result === 'ok' ? 0 : 1;
}

/** Whether the service answers on this machine, and what. */
async function checkService(config: Config): Promise<Finding> {
	const status = await healthStatus(config);
	const [check, url] = ['service', localUrl(config)];
	if (status === 200) return { check, result: 'ok', message: 'it answers' };
	const problem =
		status === undefined ? `nobody answers at ${url}` : `it answers ${status} at ${url}, so nothing can be changed`;
	return { check, result: 'fail', message: `${problem}: look into its log` };
}

/** What is new to a recipient, and what it knows once it was told. A warning that becomes a failure is new. */
function newsFor(known: Known, findings: readonly Finding[]): { news: string[]; after: Known } {
	const after = { ...known };
	const news = findings.flatMap(({ check, result, message }) => {
		if (result === 'ok' && known[check] !== undefined) {
			delete after[check];
			return [`${check}: well again`];
		}
		if (result === 'none' || result === 'ok' || known[check] === 'fail' || known[check] === result) return [];
		after[check] = result;
		return [`${check}: ${message}`];
	});
	return { news, after };
}

/** A message that names many files would be too long for a robot. */
function shortened({ message, ...finding }: Finding): Finding {
	return { ...finding, message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message };
}

const maxMessage = 400;

function stateIn(path: string): State {
	const known = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
	return known === undefined ? { inspected: '', findings: [], known: {} } : (known as State);
}

/** How many bytes the state has, whatever is in it. */
const room = 16_384;

/** Writes the state in its place, because a full disk has no room for another file. @returns why that failed, if it did. */
async function note(path: string, state: State): Promise<string | undefined> {
	const content = Buffer.alloc(room, ' ');
	content.write(JSON.stringify(state));
	const flag = existsSync(path) ? 'r+' : 'wx';
	return await problemOf(async () => withExplanation(path, () => writeFileSync(path, content, { flag, mode: 0o600 })));
}

function problemOf(work: () => Promise<void>): Promise<string | undefined> {
	return work().then(() => undefined, messageOf);
}

type Tell = (text: string) => Promise<void>;

/** Who is told, by a name that another command or robot does not have: that one hears everything first. */
function recipientsOf(
	{ ALERT_COMMAND, ALERT_URL }: Config,
	{ write }: Pick<ProcessContext, 'write'>,
): Map<string, Tell> {
	const isAlone = ALERT_COMMAND === undefined && ALERT_URL === undefined;
	const alone = isAlone ? '\nnobody else is told: set ALERT_COMMAND or ALERT_URL' : '';
	const recipients = new Map<string, Tell>([['log', (text) => write(`${text}${alone}\n`)]]);
	if (ALERT_COMMAND !== undefined) recipients.set(nameOf(ALERT_COMMAND), (text) => runCommand(ALERT_COMMAND, text));
	if (ALERT_URL !== undefined) recipients.set(nameOf(ALERT_URL), (text) => post(ALERT_URL, text));
	return recipients;
}

/** The URL of a robot is a secret. */
function nameOf(recipient: string): string {
	return Bun.CryptoHasher.hash('sha256', recipient, 'hex').slice(0, 16);
}

/** How long somebody who is told may take, in milliseconds. */
const patience = 20_000;

/** The text is on standard input. Root runs it as the owner of the data folder, as the timer does. */
async function runCommand(command: string, text: string): Promise<void> {
	const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
	const owner = uid === undefined || gid === undefined || uid === process.getuid?.() ? {} : { uid, gid };
	const child = asCaller(() =>
		Bun.spawn(['sh', '-c', command], {
			...owner,
			stdin: new Blob([text]),
			stdout: 'ignore',
			stderr: 'pipe',
			timeout: patience,
		}),
	);
	const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
	if (code !== 0) throw new OperationError(`ALERT_COMMAND failed: ${said.trim().split('\n', 1)[0] || `code ${code}`}`);
}

/** What the errors of the runtime mean, by their codes. */
const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nobody answers there',
	ECONNRESET: 'the connection was closed before an answer came',
	ENOTFOUND: 'there is no such name: check it, and the network of this machine',
	EAI_AGAIN: 'the name could not be looked up: check the network of this machine',
	23: `it did not answer within ${patience / 1000} seconds`,
};

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
		throw new OperationError(`ALERT_URL failed: ${reasons[codeOf(error)] ?? messageOf(error)}`);
	}
}
