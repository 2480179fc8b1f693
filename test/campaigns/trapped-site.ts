/** An installation that is searched for its own secrets: every answer at once, logs and files on request. */
import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, type WireAnswer, type WireRequest, wireTextOf } from '../connection.ts';
import { type Document, type Endpoint, endpointsOf } from '../contract.ts';
import type { Body } from '../http.ts';
import { compiled, type Ended, newFolder, Program, runToEnd } from '../program.ts';
import { withDatabase } from '../server.ts';

/** Implementation details that no caller needs. */
const inside = /\$argon2|sqlite|\n\s*at |\bat \S+ \(|node_modules|\$bunfs|\.ts\b|\.db\b/i;
/** The start of a token's header, case-sensitive: random text has other spellings. */
const jwt = /eyJ/;

/** Secrets in an answer: tokens, also of devices, keys, one-time passwords and the secrets of second factors. */
const shownOnce = /(?:^device-token: |"(?:token|key|secret|password)":")([^"\s]{12,})/gim;

/** The baits of one run, and everything else that must not leak. */
export class Trap {
	/** A part of every bait. No text format escapes its letters and digits. */
	readonly #marker = `Q${randomBytes(12)
		.toString('base64')
		.replaceAll(/[^\w]|_/g, 'x')}`;
	/** The secret's name by each searched form. */
	readonly #forms = new Map<string, string>();
	#baits = 0;

	constructor() {
		this.add('a bait', this.#marker);
	}

	/** Makes another secret. `decoration` follows the part that is searched for. */
	bait(decoration = ''): string {
		this.#baits += 1;
		return `${this.#marker}-${this.#baits}${decoration}`;
	}

	/** Adds a secret to the search, in all forms or given ones. */
	add(name: string, secret: string | Uint8Array, forms: Iterable<string> = formsOf(Buffer.from(secret))): void {
		for (const form of forms) this.#forms.set(form, name);
	}

	/** The number of searched forms. */
	get size(): number {
		return this.#forms.size;
	}

	/** @throws Error that names the secret, the place and the text around it. */
	search(where: string, content: string | Uint8Array): void {
		const text = Buffer.from(content).toString('latin1');
		for (const [form, name] of this.#forms) {
			const found = text.indexOf(form);
			if (found < 0) continue;
			const around = text.slice(Math.max(0, found - 100), found + form.length + 100);
			throw new Error(`${name} is in ${where}: ${JSON.stringify(Buffer.from(around, 'latin1').toString())}`);
		}
	}
}

/** Returns a secret as it is, in hexadecimal, and in Base64 at every offset of the encoded text. */
function formsOf(secret: Buffer): Set<string> {
	const hex = secret.toString('hex');
	const forms = new Set([secret.toString('latin1'), hex, hex.toUpperCase()]);
	for (const before of [0, 1, 2]) {
		const whole = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
		// The digits that encode only the secret.
		const digits = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
		forms.add(digits);
		forms.add(digits.replaceAll('+', '-').replaceAll('/', '_'));
	}
	return forms;
}

/** Secrets of an installation, with characters that formats escape in several ways. */
const secretsOf = (trap: Trap) => ({
	ADMIN_PASSWORD: trap.bait(' 管理员 "quoted" \\ %41&+/=<>'),
	INITIAL_EMPLOYEE_PASSWORD: trap.bait(" 'initial' %41&+/="),
	JWT_SECRET: trap.bait('-of-more-than-thirty-two-bytes'),
	PASSWORD_KEY: trap.bait('-of-more-than-32-bytes-as-well'),
	SECOND_FACTOR_KEY: trap.bait('-of-more-than-32-bytes-too'),
});

const environmentOf = (folder: string, secrets: Record<string, string>) => ({
	DATA_DIR: join(folder, 'data'),
	LOG_LEVEL: 'debug',
	LOGIN_THROTTLE: 'off',
	...secrets,
});

/** A server with baits, and everything that it sent or wrote. */
export class TrappedSite {
	readonly trap: Trap;
	readonly folder: string;
	readonly secrets: ReturnType<typeof secretsOf>;
	program: Program;
	/** A token of the super administrator. */
	token = '';
	/** The phones that were used anywhere. */
	readonly phones = new Set<string>();
	/** Every operation of the document. */
	endpoints: readonly Endpoint[] = [];
	answers = 0;
	bytes = 0;
	readonly #environment: Record<string, string>;
	#earlierOutput = '';

	private constructor(trap: Trap, folder: string, secrets: ReturnType<typeof secretsOf>, program: Program) {
		this.trap = trap;
		this.folder = folder;
		this.secrets = secrets;
		this.program = program;
		this.#environment = environmentOf(folder, secrets);
		// The key that signs tokens is derived from the secret.
		const query = 'select token_epoch from installation';
		const path = join(folder, 'data', 'access.db');
		const epoch = withDatabase(path, (database) => String(database.query(query).values()[0]?.[0]));
		trap.add('the key of tokens', createHmac('sha256', secrets.JWT_SECRET).update(epoch).digest());
	}

	/** Starts a site, and signs the super administrator in. */
	static async start(): Promise<TrappedSite> {
		const [trap, folder] = [new Trap(), newFolder()];
		const secrets = secretsOf(trap);
		const site = new TrappedSite(trap, folder, secrets, await launch(folder, environmentOf(folder, secrets)));
		await site.signIn();
		const document = await fetch(`${site.program.url}/swagger/json`);
		site.endpoints = endpointsOf((await document.json()) as Document);
		return site;
	}

	async restart(): Promise<void> {
		this.#earlierOutput += this.program.output;
		this.program = await launch(this.folder, this.#environment);
	}

	/** Signs the super administrator in; {@link sendWell} uses this token. */
	async signIn(): Promise<void> {
		const { ADMIN_PASSWORD: password } = this.secrets;
		this.token = (await this.sendWell('POST', '/api/auth/admin/login', { username: 'admin', password })).token;
	}

	/** Sends a request that must succeed, as the super administrator. Returns the `data` of a JSON answer. */
	async sendWell(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Body> {
		const request = { method, path, body, token: this.token, headers };
		let answer = await this.send(request);
		// A reader has a low priority. On a busy machine it may not finish within its ten seconds.
		while (answer?.status === 413) answer = await this.send(request);
		if (answer === undefined || answer.status >= 300) {
			throw new Error(`${method} ${path} must succeed, but got ${answer?.status} ${answer?.text}`);
		}
		return /^content-type: application\/json/im.test(answer.head) ? JSON.parse(answer.text).data : undefined;
	}

	/** Sends a request and searches its answer. */
	async send(request: WireRequest): Promise<WireAnswer | undefined> {
		const connection = await Connection.open(this.program.url);
		try {
			const answer = await connection.ask(request);
			this.#searchAnswer(wireTextOf(request), answer, connection.rest);
			return answer;
		} finally {
			connection.close();
		}
	}

	#searchAnswer(request: string, answer: WireAnswer | undefined, rest: string): void {
		this.answers += 1;
		const where = `the answer to ${JSON.stringify(request.slice(0, 400))}`;
		const whole = `${answer?.head ?? ''}\r\n\r\n${answer?.text ?? ''}${rest}`;
		// Secrets that only their first answer may show, in any form.
		const made = Array.from(whole.matchAll(shownOnce), ([, secret = '']) => secret);
		const codes = /"recoveryCodes":\["(.*?)"\]/.exec(whole)?.[1]?.split('","') ?? [];
		for (const secret of [...made, ...codes]) {
			// A token's header and expiry are not secret.
			const parts = secret.split('.').filter((part) => part.length > 9 && !part.startsWith('eyJhbGci'));
			for (const part of parts) this.trap.add('what was shown once', part, [part, part.replaceAll('-', '')]);
		}
		const shown = [...made, ...codes].reduce((text, secret) => text.replaceAll(secret, ''), whole);
		this.#search(where, shown);
		// Swagger UI and the document are the same for everybody, and have examples.
		const found = request.startsWith('GET /swagger') ? undefined : (inside.exec(shown) ?? jwt.exec(shown))?.[0];
		if (found !== undefined || shown.includes(this.folder))
			throw new Error(`${found ?? this.folder} is in ${where}: ${shown}`);
	}

	/** Runs a command of the program and searches what it writes. */
	async run(args: string[], more: { environment?: Record<string, string>; input?: string } = {}): Promise<Ended> {
		const environment = { ...this.#environment, ...more.environment };
		const ended = await runToEnd({ ...more, command: [...compiled(), ...args], cwd: this.folder, environment });
		this.#search(`what access ${args.join(' ')} writes`, ended.stdout + ended.stderr);
		return ended;
	}

	/** Searches everything that the server wrote, to its output and to the disk. */
	searchEverything(when: string): void {
		const log = this.#earlierOutput + this.program.output;
		this.#search(`the log ${when}`, log);
		const found = /\$argon2|eyJ/.exec(log)?.[0] ?? [...this.phones].find((phone) => log.includes(phone));
		if (found !== undefined) {
			throw new Error(`${found} is in the log ${when}: ${log.split('\n').find((line) => line.includes(found))}`);
		}
		for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
			const path = join(entry.parentPath, entry.name);
			if (entry.isFile()) this.#search(`${path} ${when}`, readFileSync(path));
		}
	}

	#search(where: string, content: string | Uint8Array): void {
		this.bytes += content.length;
		this.trap.search(where, content);
	}
}

/** Keeps standard error beside the data, where it is searched with the rest. */
function launch(folder: string, environment: Record<string, string>): Promise<Program> {
	const command = ['sh', '-c', 'exec "$0" "$@" 2>>errors.txt', ...compiled()];
	return Program.start({ command, cwd: folder, environment });
}
