/** A world in this process: the application over HTTP, a real database in memory, cheap hashing, a movable clock. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, spyOn } from 'bun:test';
import { type App, createApp, type Dependencies } from '../src/app.ts';
import { seedAdministrator } from '../src/features/administrators/service.ts';
import { createApprovalCodes } from '../src/features/approvals/codes.ts';
import { createPasswords, type HashCost, type Passwords } from '../src/features/auth/password.ts';
import { findChainName } from '../src/features/chain/service.ts';
import { type ChangeSubscribers, createSubscribers } from '../src/features/changes/subscribers.ts';
import type { ImportReader } from '../src/features/files/import.ts';
import type { Layout } from '../src/features/files/layout.ts';
import { decodeTable, decodeTask, encodeTask, runTask } from '../src/features/files/reader-task.ts';
import { openapiRoutes } from '../src/features/openapi/routes.ts';
import { builtInRoles, seedRoles } from '../src/features/roles/built-in.ts';
import { type Attempt, createLimits, type Limits } from '../src/identity/guard/attempts.ts';
import { createDevices } from '../src/identity/guard/device.ts';
import { createGuard } from '../src/identity/guard/guard.ts';
import { createRefusedSignIns, type RefusedSignIns } from '../src/identity/guard/refused-sign-ins.ts';
import type { HistoryRecord } from '../src/identity/history/model.ts';
import { operator } from '../src/identity/history/record.ts';
import { allHistory } from '../src/identity/history/service.ts';
import { createSecretCipher } from '../src/identity/second-factor/encryption.ts';
import { createTokens } from '../src/identity/session/tokens.ts';
import { type Db, drizzleOn, openDatabase, pragmas } from '../src/platform/database/open.ts';
import { getTokenEpoch } from '../src/platform/database/token-epoch.ts';
import { createLog } from '../src/platform/machine/log.ts';
import { type Reason, reasonParameters, textOf } from '../src/platform/vocabulary/reasons.ts';
import { Contract, fetchDocument } from './contract.ts';
import { hanging } from './hanging.ts';
import { type Answer, type Body, exchange, type Sent } from './http.ts';
import { ruleRefusals } from './oracle.ts';
import {
	adminPassword,
	adminUsername,
	initialPassword,
	jwtSecret,
	passwordKey,
	secondFactorKey,
	World,
} from './world.ts';

export type { Answer, Sent } from './http.ts';
export {
	adminPassword,
	adminUsername,
	expectStatus,
	initialPassword,
	newName,
	newPhone,
	type Person,
} from './world.ts';

const tokenEpoch = 'epoch';
const chainTables = ['stores', 'roles', 'role_permissions', 'employees', 'employee_roles', 'history'];
const cheap: HashCost = { memoryCost: 8, timeCost: 2 };

/** A migrated database. A copy of it takes a millisecond, a new migration takes fifty. */
const migrated = openDatabase(':memory:').$client.serialize();

/** Opens a migrated database in memory, with the connection settings of the program. */
function newDatabase(): Db {
	const client = Database.deserialize(migrated, { strict: true });
	for (const [name, value] of [['foreign_keys', 1], ...pragmas]) client.run(`pragma ${name} = ${value}`);
	return Object.assign(drizzleOn(client, ':memory:'), { [Symbol.dispose]: () => client.close() });
}

/** Assigns the slots of counters by a constant seed: with a random one, two keys would share a slot now and then. */
export function withConstantSlots<Made>(make: () => Made): Made {
	using _seed = spyOn(crypto, 'getRandomValues').mockImplementation((numbers) => numbers);
	return make();
}

/** The limits of the program. The first password creates them, because they take 5 MB. */
function limitsOf(elapsed: () => number): Limits {
	let made: Limits | undefined;
	const limits = () => {
		made ??= withConstantSlots(() => createLimits(elapsed));
		return made;
	};
	return {
		wait: (attempt: Attempt) => limits().wait(attempt),
		add: (attempt) => limits().add(attempt),
		remove: (attempt) => limits().remove(attempt),
		forget: (attempt) => limits().forget(attempt),
	};
}

/** Reads files in this process, which is faster. The compiled program uses another process. */
export const importReader: ImportReader = {
	read: async (layout, file) => decodeTable(new TextDecoder().decode(await answerOf(layout, encodeTask(layout, file)))),
	mark(layout, file, findings) {
		expect(Object.keys(findings), 'the reader gets no more of the plan').toEqual(['problems', 'fieldChanges']);
		return answerOf(layout, encodeTask(layout, file, findings));
	},
};

async function answerOf(layout: Layout, input: Blob): Promise<Uint8Array> {
	const parts = await Array.fromAsync(runTask(layout, decodeTask(await input.bytes())));
	return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** The document is the same for every installation. */
let contract: Promise<Contract> | undefined;

/** The optional settings of the application. */
interface Settings extends Partial<Pick<Dependencies, 'corsOrigins' | 'tls'>> {
	requirements?: Partial<Dependencies['requirements']>;
	openid?(clock: () => Date): Dependencies['openid'];
}

interface Options extends Settings {
	limits?: Limits;
	password?: string;
}

/** A fresh installation: built-in roles, the super administrator, nothing else. */
export class Service extends World {
	/** The time of the service. Tests can change it. */
	time = new Date();
	readonly db: Db;
	readonly logged: string[] = [];
	readonly app: App;
	readonly limits: Limits;
	/** The header with the client address, which replaces a real connection. */
	static readonly peerHeader = 'x-peer';
	readonly passwords: Passwords;
	readonly refusedSignIns: RefusedSignIns;
	readonly tokens = createTokens(jwtSecret, tokenEpoch);
	readonly secretCipher = createSecretCipher(secondFactorKey);
	readonly subscribers: ChangeSubscribers;
	/** The requests that asked for more time than the server's idle timeout. */
	readonly extended: { path: string; seconds: number }[] = [];
	readonly #newLimits: () => Limits;
	#keptTime = this.time;

	private constructor(limits: Limits | undefined, passwords: Passwords, settings: Settings) {
		super();
		this.#newLimits = () => limits ?? limitsOf(() => this.time.getTime());
		this.db = newDatabase();
		this.subscribers = createSubscribers(this.db);
		this.refusedSignIns = createRefusedSignIns(this.db, () => this.time.getTime());
		this.passwords = passwords;
		this.limits = { ...this.#newLimits() };
		this.app = createApp({
			corsOrigins: [],
			tls: false,
			...settings,
			requirements: { ownPassword: false, secondFactor: false, ...settings.requirements },
			db: this.db,
			passwords: this.passwords,
			tokens: this.tokens,
			openid: settings.openid?.(() => this.time),
			secretCipher: this.secretCipher,
			approvalCodes: createApprovalCodes(passwordKey),
			chainName: () => findChainName(this.db),
			clock: () => this.time,
			log: createLog({ write: (line) => this.logged.push(line) }, 'debug'),
			importReader,
			subscribers: this.subscribers,
			addressOf: ({ headers }) => headers.get(Service.peerHeader) ?? '127.0.0.1',
			refusedSignIns: this.refusedSignIns,
			guard: createGuard(this.limits),
			devices: createDevices(jwtSecret, tokenEpoch, () => this.time),
			extendTimeout: ({ url }, seconds) => this.extended.push({ path: new URL(url).pathname, seconds }),
		});
		this.app.use(openapiRoutes(this.app));
	}

	/**
	 * Starts an installation that `limits` guards, for tests that may take long. `password` is the first password of
	 * everybody.
	 */
	static async start({ limits, password, ...settings }: Options = {}): Promise<Service> {
		setDefaultTimeout(hanging);
		const secrets = { INITIAL_EMPLOYEE_PASSWORD: password ?? initialPassword, PASSWORD_KEY: passwordKey };
		const ownPassword = settings.requirements?.ownPassword ?? false;
		const chainName = () => findChainName(service.db) ?? '好邻居便利';
		const passwords = createPasswords(secrets, { cost: cheap, ownPassword, chainName });
		const service = new Service(limits, passwords, settings);
		const at = service.time.toISOString();
		getTokenEpoch(service.db);
		seedRoles(service.db, at);
		const passwordHash = await service.passwords.hash(password ?? adminPassword);
		seedAdministrator(service.db, operator('tester', at), { username: adminUsername, passwordHash });
		contract ??= fetchDocument(service.app, service.logged).then((document) => new Contract(document));
		service.contract = await contract;
		return service;
	}

	/** Restores the state of {@link restoreBeforeEachTest}, at a thirtieth of the cost of a new installation. */
	restoreState(): void {
		const { $client } = this.db;
		$client.run('rollback to kept');
		this.time = this.#keptTime;
		// This writes the pending refusals.
		this.refusedSignIns.flush(this.time.toISOString(), { now: true });
		$client.run('rollback to kept');
		this.forgetAttempts();
		expectNoSecret('the log', this.logged.join(''));
		this.logged.length = 0;
		this.extended.length = 0;
	}

	/** Restores the present state before each test of the file. No test may leave a row that refers to a deleted one. */
	restoreBeforeEachTest(): void {
		// All later changes are part of one transaction.
		this.db.$client.run('savepoint kept');
		this.#keptTime = this.time;
		beforeEach(() => this.restoreState());
		afterEach(() => expect(this.brokenRows()).toEqual([]));
	}

	/** Clears the counts of wrong passwords. */
	forgetAttempts(): void {
		Object.assign(this.limits, this.#newLimits());
	}

	/** Sends a request and checks that the document announces its answer. */
	async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
		const fetch = (init: RequestInit) => this.app.handle(new Request(`http://localhost${path}`, init));
		const answer = await exchange(fetch, method, sent);
		const isFile = answer.headers.has('content-disposition');
		if (answer.text !== '' && answer.body === undefined && !isFile)
			throw new Error(`${method} ${path} is not JSON: ${answer.text}`);
		this.contract?.expectAnnounced(method, path, answer);
		const query = Object.fromEntries(new URL(`http://localhost${path}`).searchParams);
		if (!sent.headers?.['accept-language']) expectRuleRefusal(answer, { query, body: sent.body });
		expectEnglish(answer);
		if (!path.startsWith('/swagger')) expectNoSecret(`the answer to ${method} ${path}`, answer.text);
		return answer;
	}

	/** Sends a CSV file of these lines to an endpoint. */
	importCsv(path: string, lines: readonly string[], token = this.superToken): Promise<Answer> {
		return this.send('POST', `/api/${path}`, { token, raw: lines.join('\n'), contentType: 'text/csv' });
	}

	/** All rows that a request about the chain may change, for comparison. */
	everything(): Body[][] {
		return chainTables.map((table) => this.rows(`select * from ${table} order by 1, 2`));
	}

	/** The history, oldest first, without its first records. */
	records(without = 0): HistoryRecord[] {
		return [...allHistory(this.db, {})].slice(without);
	}

	builtIn(code: string): number {
		return builtInRoles.findIndex((role) => role.code === code) + 1;
	}

	rows(query: string, ...values: (string | number)[]): Body[] {
		return this.db.$client.query(query).all(...values);
	}

	alter(work: (database: Database) => void): void {
		this.db.$client.transaction(() => work(this.db.$client))();
	}

	now(): Date {
		return this.time;
	}

	async later(): Promise<void> {
		this.tick(0.001);
	}

	/** Lets one or more seconds pass. @returns the new time */
	tick(seconds = 1): string {
		this.time = new Date(this.time.getTime() + seconds * 1000);
		return this.time.toISOString();
	}

	/** Signed on every call, so that it is valid wherever a test moves the clock. */
	get superToken(): string {
		return this.sign('SUPER_ADMIN:1', 1);
	}

	tokenEpoch(): string {
		return tokenEpoch;
	}
}

/** The values that no answer may show: the secrets of the tests, and the stored hashes of passwords. */
const hidden = [adminPassword, initialPassword, jwtSecret, passwordKey, secondFactorKey, '$argon2', '$hmac-'];

function expectNoSecret(where: string, text: string): void {
	const found = hidden.find((secret) => text.includes(secret));
	if (found !== undefined) throw new Error(`${found} is in ${where}: ${text}`);
}

/** The details of a refusal without their reasons, which {@link expectEnglish} checks. */
export function detailsOf({ body }: Pick<Answer, 'body'>): Body[] {
	return body.error.details.map((detail: Body) => {
		const parameters = ['reason', ...Object.keys(reasonParameters)];
		return Object.fromEntries(Object.entries(detail).filter(([name]) => !parameters.includes(name)));
	});
}

/** Checks that every detail of a refusal has an English text, with all its parameters and without Chinese. */
function expectEnglish({ body, text }: Answer): void {
	const details: Reason[] = body?.error?.details ?? [];
	if (body?.success === false && details.length === 0) throw new Error(`a refusal without a reason: ${text}`);
	for (const detail of details) {
		const english = textOf(detail, true);
		if (/\p{Script=Han}|\{|undefined|\b1 \w+s\b/u.test(english))
			throw new Error(`${english} is no English for ${text}`);
	}
}

/** Checks that a refusal by a business rule has the status, the field at fault and the reason of the oracle. */
export function expectRuleRefusal(answer: Pick<Answer, 'status' | 'body' | 'text'>, sent: Body = {}): void {
	const { status, body, text } = answer;
	const { code, message } = body?.error ?? {};
	if (!['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'BAD_REQUEST'].includes(code)) return;
	// Other tests check the lines and employees at fault.
	if (/^导入文件有 \d+ 处问题$|^有 \d+ 名员工不能/.test(message)) return;
	const list = /(?<=范围：|缺少：|已删除：|移除两步验证：|^不能操作).*/;
	const general = message
		.replace(list, '…')
		.replace(/\d+/g, 'N')
		.replace(/(?<=“)[^”]*/, '…');
	const known = ruleRefusals[general];
	if (known === undefined) throw new Error(`ruleRefusals in oracle.ts needs a row for: ${general}`);
	const [statuses = [], paths = [], reasons = []] = known.split(' ').map((part) => part.split('|'));
	const [{ path = '-', reason }] = body.error.details;
	expect(String(status), text).toBeOneOf(statuses);
	expect(path.replace(/\d+/g, 'N'), text).toBeOneOf(paths);
	const [part, ...names] = path.split('.');
	const field = names.reduce((within: Body, name: string) => within?.[name], sent[part]);
	// Of several fields it is one that was sent. A file is no field.
	if (paths.length > 1 && sent[part] !== undefined) expect(field, text).toBeDefined();
	expect(reason, text).toBeOneOf(reasons);
	// The detail may say more, such as the holder of a taken phone or the permission that is missing.
	const more = message === '没有权限执行此操作' ? expect.any(String) : expect.stringContaining(message);
	expect(detailsOf(answer), text).toEqual([{ ...(path !== '-' && { path }), message: more }]);
}

/** A POST whose body's first part is there at once. `asked` resolves when the rest is read, `send` sends it. */
export function heldPost({ app }: Service, path: string, headers: Record<string, string>, [first, rest] = ['', '']) {
	const [asked, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const left = [first].filter(Boolean);
	const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
		const next = left.pop();
		if (next === undefined) {
			asked.resolve();
			await sent.promise;
		}
		controller.enqueue(new TextEncoder().encode(next ?? rest));
		if (next === undefined) controller.close();
	};
	// Without a buffer, nothing is pulled before the first read.
	const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
	const answer = app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body }));
	return { answer, asked: asked.promise, send: sent.resolve };
}

/** The code of each refusal; {@link expectInvalid} is for the other 400. */
const refusals = {
	400: 'BAD_REQUEST',
	401: 'UNAUTHORIZED',
	403: 'FORBIDDEN',
	404: 'NOT_FOUND',
	409: 'CONFLICT',
	412: 'PRECONDITION_FAILED',
	413: 'PAYLOAD_TOO_LARGE',
	429: 'TOO_MANY_REQUESTS',
	500: 'INTERNAL_SERVER_ERROR',
	503: 'SERVICE_UNAVAILABLE',
};

/** Checks that an answer is this refusal. */
export function expectRefusal(answer: Answer, status: keyof typeof refusals, message?: string): void {
	expectFailure(answer, status, refusals[status]);
	if (message !== undefined) expect(answer.body.error.message).toBe(message);
}

function expectFailure({ status, body, text }: Answer, wanted: number, code: string): void {
	expect(body, text).toMatchObject({ success: false, error: { code } });
	expect(status, text).toBe(wanted);
	expect(Array.isArray(body.error.details)).toBe(true);
}

/** Checks that an answer is 400 VALIDATION_ERROR, with a detail for exactly these paths. */
export function expectInvalid(answer: Answer, ...paths: string[]): void {
	expectFailure(answer, 400, 'VALIDATION_ERROR');
	expect(answer.body.error.message).toBe('请求参数无效');
	const found = answer.body.error.details.map((detail: { path: string }) => detail.path);
	if (paths.length > 0) expect(found.toSorted()).toEqual(paths.toSorted());
}
