/** `access check --watch`: notifies once when a problem begins and once when it ends; each time if it cannot save its state. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Config, readConfig, requireNone } from '../platform/machine/config.ts';
import { parseJson } from '../platform/machine/durable-file.ts';
import { isThere, withExplanation } from '../platform/machine/file-access.ts';
import { asCaller } from '../platform/machine/folder-owner.ts';
import { findHealthStatus, localUrl } from '../platform/machine/local-service.ts';
import { isRunning } from '../platform/machine/running.ts';
import { codeOf, messageOf, OperationError, orUndefined } from '../platform/vocabulary/errors.ts';
import { configure, type ProcessContext } from './process.ts';

const Finding = Type.Object({
	check: Type.String(),
	/** `none`: there is nothing to check. */
	result: Type.Union([Type.Literal('ok'), Type.Literal('none'), Type.Literal('warn'), Type.Literal('fail')]),
	/** The result in words. A warning or a failure says what to do: each problem, and its cause or remedy after a colon. */
	message: Type.String(),
});
export type Finding = Static<typeof Finding>;

/** The checks that warn or fail, with their problems by {@link nameProblems}. */
const Known = Type.Record(Type.String(), Type.String());
type Known = Static<typeof Known>;

const State = Type.Object({
	/** The day of the last whole check. */
	inspected: Type.String(),
	findings: Type.Array(Finding),
	/** The problems that each recipient was notified of. */
	known: Type.Record(Type.String(), Known),
});
type State = Static<typeof State>;

/**
 * Makes the quick checks, and all checks once a day. Notifies each recipient of what is new to it.
 * @throws OperationError when a notification failed, which the next run repeats, or the state was not saved
 */
export async function watch(
	context: Pick<ProcessContext, 'environment' | 'write'>,
	config: Config,
	look: (isWhole: boolean) => Promise<Finding[]>,
): Promise<void> {
	// An installation has its state in the folder of systemd, which is there without DATA_DIR, too.
	const path = join(context.environment.STATE_DIRECTORY || config.DATA_DIR, 'watch.json');
	// Until 1.19.0 it was in DATA_DIR, and an upgrade must not repeat what was said.
	const before = readState(existsSync(path) ? path : join(config.DATA_DIR, 'watch.json'));
	// Made at once, also during an installation: on a full disk it could not be made later.
	if (!existsSync(path)) await saveState(path, before);
	if (isInstalling(config)) return;
	const today = new Date().toDateString();
	// Without the folder, most checks would repeat that it is missing.
	const isWhole = before.inspected !== today && existsSync(config.DATA_DIR);
	const inspected = isWhole ? today : before.inspected;
	// Saved first: a whole check that was killed waits for the next day.
	if (isWhole) await saveState(path, { ...before, inspected });
	const seen = [...(await look(isWhole)), await checkService(config)].map(shorten);
	const others = isWhole ? [] : before.findings.filter(({ check }) => seen.every((finding) => finding.check !== check));
	const findings = [...seen, ...others];
	const { known, problems } = await notifyAll(listRecipients(config, context.write), findings, before.known);
	requireNone([...problems, await saveState(path, { inspected, findings, known })]);
}

/** Notifies each recipient of what is new to it. If that fails, the problems that it knows stay as they were. */
async function notifyAll(recipients: Map<string, Notify>, findings: readonly Finding[], before: State['known']) {
	const known: State['known'] = {};
	const telling = Array.from(recipients, async ([recipient, notify]) => {
		const knew = before[recipient] ?? {};
		const { news, after } = findNews(knew, findings);
		const text = `access on ${hostname()}\n${news.join('\n')}`;
		const problem = news.length > 0 ? await catchProblem(() => notify(text)) : undefined;
		known[recipient] = problem === undefined ? after : knew;
		return problem;
	});
	return { known, problems: await Promise.all(telling) };
}

/** The file with the process id of a running installation, which stops the service meanwhile. */
export function installingMark(settingsFile: string): string {
	return join(dirname(settingsFile), 'access', 'installing');
}

/** The time for which an installation can silence the watch and refuse another one, in milliseconds. */
const maxInstallationTime = 60 * 60 * 1000;

/** Whether an installation is running now. The mark of a killed one does not count. */
export function isInstalling({ settingsFile }: Pick<Config, 'settingsFile'>): boolean {
	const mark = settingsFile && installingMark(settingsFile);
	if (!mark || !isThere(mark)) return false;
	const isRecent = Date.now() - statSync(mark).mtimeMs < maxInstallationTime;
	return isRecent && isRunning(Number(readFileSync(mark, 'utf8')));
}

/** `access alert`: sends a test message to every recipient. @throws OperationError when one could not be notified */
export async function alert(context: ProcessContext): Promise<void> {
	const text = `access on ${hostname()}\nThis is a test: problems are reported here.`;
	const recipients = listRecipients(configure(context), context.write);
	requireNone(await Promise.all(Array.from(recipients.values(), (notify) => catchProblem(() => notify(text)))));
}

/** `access health`, for containers. @returns 1 if the service does not answer, or cannot write */
export async function health({ environment, write }: ProcessContext): Promise<number> {
	const { result, message } = await checkService(readConfig(environment));
	await write(`${message}\n`);
	return result === 'ok' ? 0 : 1;
}

async function checkService(config: Config): Promise<Finding> {
	const status = await findHealthStatus(config);
	const [check, url] = ['service', localUrl(config)];
	if (status === 200) return { check, result: 'ok', message: 'it answers' };
	const problem =
		status === undefined ? `nothing answers at ${url}` : `it answers ${status} at ${url}, so nothing can be changed`;
	return { check, result: 'fail', message: `${problem}: look at its log` };
}

/** The news for a recipient, and the problems it knows afterwards. */
function findNews(known: Known, findings: readonly Finding[]): { news: string[]; after: Known } {
	const after = { ...known };
	const news: string[] = [];
	for (const { check, result, message } of findings) {
		const knew = known[check]?.split('; ');
		if (result === 'warn' || result === 'fail') {
			after[check] = nameProblems(message);
			if (!after[check].split('; ').every((each) => knew?.includes(each))) news.push(`${check}: ${message}`);
		} else if (result === 'ok' && knew !== undefined) {
			delete after[check];
			news.push(`${check}: well again`);
		}
	}
	return { news, after };
}

/** The problems of a message without what changes from day to day: numbers, plurals, and causes and remedies. */
function nameProblems(message: string): string {
	return message.replace(/: .*?(?=; |$)|\d+|s\b/g, '');
}

/** Shortens a message: one that names many files is too long for a robot. */
function shorten({ message, ...finding }: Finding): Finding {
	return { ...finding, message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message };
}

const maxMessage = 400;

/** Reads the state. A file that cannot be read, or holds anything else, counts as missing: every problem is new. */
function readState(path: string): State {
	const known = parseJson(orUndefined(() => readFileSync(path, 'utf8')) ?? '');
	return Value.Check(State, known) ? known : { inspected: '', findings: [], known: {} };
}

/** The size of the state file, in bytes. It is constant. */
const stateBytes = 16_384;

/** Overwrites the state in place, because a full disk has no room for another file. @returns the problem, if any */
async function saveState(path: string, state: State): Promise<string | undefined> {
	const content = Buffer.alloc(stateBytes, ' ');
	content.write(JSON.stringify(state));
	const write = () => writeFileSync(path, content, { flag: existsSync(path) ? 'r+' : 'wx', mode: 0o600 });
	return await catchProblem(async () => withExplanation(path, write));
}

function catchProblem(work: () => Promise<void>): Promise<string | undefined> {
	return work().then(() => undefined, messageOf);
}

type Notify = (text: string) => Promise<void>;

/** The recipients by name. A new command or robot has a new name, so it is notified of every problem. */
function listRecipients({ ALERT_COMMAND, ALERT_URL }: Config, write: ProcessContext['write']): Map<string, Notify> {
	const isAlone = ALERT_COMMAND === undefined && ALERT_URL === undefined;
	const alone = isAlone ? '\nnobody else is notified: set ALERT_COMMAND or ALERT_URL' : '';
	const recipients = new Map<string, Notify>([['log', (text) => write(`${text}${alone}\n`)]]);
	// By a hash, because the URL of a robot is a secret.
	const hash = (recipient: string) => Bun.CryptoHasher.hash('sha256', recipient, 'hex').slice(0, 16);
	if (ALERT_COMMAND !== undefined) recipients.set(hash(ALERT_COMMAND), (text) => runCommand(ALERT_COMMAND, text));
	if (ALERT_URL !== undefined) recipients.set(hash(ALERT_URL), (text) => post(ALERT_URL, text));
	return recipients;
}

/** The time that a recipient may take, in milliseconds. */
const patience = 20_000;

/** Runs the command with the text on standard input. Root runs it as the owner of the data folder, like the timer. */
async function runCommand(command: string, text: string): Promise<void> {
	const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
	const owner = uid === undefined || gid === undefined || uid === process.getuid?.() ? {} : { uid, gid };
	const streams = { stdin: new Blob([text]), stdout: 'ignore', stderr: 'pipe' } as const;
	const child = asCaller(() => Bun.spawn(['sh', '-c', command], { ...owner, ...streams, detached: true }));
	const said = child.stderr.text();
	const code = await Promise.race([child.exited, Bun.sleep(patience)]);
	if (code === 0) return;
	if (code === undefined) {
		// The whole group: the shell may wait for another program.
		process.kill(-child.pid, 'SIGKILL');
		throw new OperationError(`ALERT_COMMAND failed: it did not end within ${patience / 1000} seconds`);
	}
	// A program that the shell left behind keeps standard error open.
	const lines = await Promise.race([said, Bun.sleep(1000)]);
	throw new OperationError(`ALERT_COMMAND failed: ${lines?.trim().split('\n', 1)[0] || `code ${code}`}`);
}

/** The meaning of the runtime's errors, by their codes. 23 is a timeout. */
const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing answers there',
	ECONNRESET: 'the connection was closed before an answer came',
	ENOTFOUND: 'there is no such name: check it, and the network of this machine',
	EAI_AGAIN: 'the name could not be looked up: check the network of this machine',
	23: `it did not answer within ${patience / 1000} seconds`,
};

/** Posts a text in the formats of WeCom, DingTalk and Feishu at once. Each ignores the fields of the others. */
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
		const said = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
		const { errcode = 0, code = 0, errmsg, msg } = said ?? {};
		if (errcode !== 0 || code !== 0) throw new Error(`it answers ${errmsg ?? msg}`);
	} catch (error) {
		throw new OperationError(`ALERT_URL failed: ${reasons[codeOf(error)] ?? messageOf(error)}`);
	}
}
