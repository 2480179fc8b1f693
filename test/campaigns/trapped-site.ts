/** An installation that is searched for its own secrets: every answer as it comes, logs and files when asked to. */
import { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, type WireAnswer, type WireRequest, wireTextOf } from '../connection.ts';
import { type Contract, type Endpoint, endpointsOf } from '../contract.ts';
import { compiled, type Ended, newFolder, Program, runToEnd } from '../program.ts';
import { Trap } from './trap.ts';
import { commandLineOf } from './vitals.ts';

type Secrets = Record<
	'ADMIN_PASSWORD' | 'INITIAL_EMPLOYEE_PASSWORD' | 'JWT_SECRET' | 'PASSWORD_KEY' | 'SECOND_FACTOR_KEY',
	string
>;

/** Whether the operator gives the secrets of an installation, or the program makes them. */
export type Origin = 'given' | 'made';

/** Implementation details that no caller needs. */
const inside = /\$argon2|sqlite|\n\s*at |\bat \S+ \(|node_modules|\$bunfs|\.ts\b|\.db\b|eyJ/i;

/** A server with baits in it, and everything that came out of it. */
export class TrappedSite {
	readonly trap: Trap;
	readonly folder: string;
	readonly secrets: Secrets;
	program: Program;
	/** A token of the super administrator. */
	token = '';
	/** The phones that were used anywhere. */
	readonly phones = new Set<string>();
	/** What the service says of itself, once it was asked. */
	contract: Contract | undefined;
	readonly #makesSecrets: boolean;
	readonly #environment: Record<string, string>;
	readonly #statuses = new Map<string, Set<number>>();
	#earlierOutput = '';
	#tokens = 0;
	#answers = 0;
	#bytes = 0;

	private constructor(
		trap: Trap,
		folder: string,
		environment: Record<string, string>,
		program: Program,
		origin: Origin,
	) {
		this.trap = trap;
		this.folder = folder;
		this.#environment = environment;
		this.program = program;
		this.#makesSecrets = origin === 'made';
		this.secrets = this.#findSecrets();
		this.#learnKey();
	}

	static async start(origin: Origin): Promise<TrappedSite> {
		const trap = new Trap();
		const folder = newFolder();
		const secrets: Secrets = {
			ADMIN_PASSWORD: trap.bait(' 管理员 "quoted" \\ %41&+/=<>'),
			INITIAL_EMPLOYEE_PASSWORD: trap.bait(" 'initial' %41&+/="),
			JWT_SECRET: trap.bait('-of-more-than-thirty-two-bytes'),
			PASSWORD_KEY: trap.bait('-of-more-than-32-bytes-as-well'),
			SECOND_FACTOR_KEY: trap.bait('-of-more-than-32-bytes-too'),
		};
		const environment = {
			DATA_DIR: join(folder, 'data'),
			LOG_LEVEL: 'debug',
			LOGIN_THROTTLE: 'off',
			...(origin === 'given' && secrets),
		};
		return new TrappedSite(trap, folder, environment, await launch(folder, environment), origin);
	}

	/** Starts the server again after it ended. */
	async restart(): Promise<void> {
		this.#earlierOutput += this.program.output;
		this.program = await launch(this.folder, this.#environment);
	}

	get data(): string {
		return join(this.folder, 'data');
	}

	get #secretsFile(): string {
		return join(this.data, 'secrets.json');
	}

	/** The given ones are baits; those that the program made have to be searched for, too. */
	#findSecrets(): Secrets {
		const {
			ADMIN_PASSWORD = '',
			INITIAL_EMPLOYEE_PASSWORD = '',
			JWT_SECRET = '',
			PASSWORD_KEY = '',
			SECOND_FACTOR_KEY = '',
		} = this.#environment;
		const made = this.#makesSecrets ? JSON.parse(readFileSync(this.#secretsFile, 'utf8')) : {};
		for (const [name, secret] of Object.entries<string>(made)) this.trap.add(name, secret);
		return { ADMIN_PASSWORD, INITIAL_EMPLOYEE_PASSWORD, JWT_SECRET, PASSWORD_KEY, SECOND_FACTOR_KEY, ...made };
	}

	/** Tokens are signed with a key that is made of the secret. */
	#learnKey(): void {
		const database = new Database(join(this.data, 'access.db'), { readonly: true });
		const epoch = String(database.query('select token_epoch from installation').values()[0]?.[0]);
		database.close();
		this.trap.add(
			'the key of tokens',
			createHash('sha256')
				.update(this.secrets.JWT_SECRET + epoch)
				.digest(),
		);
	}

	/** Every operation of the document. */
	get endpoints(): Endpoint[] {
		return this.contract ? endpointsOf(this.contract.document) : [];
	}

	/** Signs the super administrator in; {@link sendWell} uses this token. */
	async signIn(): Promise<void> {
		const { ADMIN_PASSWORD: password } = this.secrets;
		const answer = await this.sendWell('POST', '/api/auth/admin/login', { username: 'admin', password });
		this.token = JSON.parse(answer.text).data.token;
	}

	/** Sends a request that must succeed, as the super administrator. */
	async sendWell(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
		const answer = await this.send({ method, path, body, token: this.token, headers });
		if (answer === undefined || answer.status >= 300) {
			throw new Error(`${method} ${path} must succeed, but got ${answer?.status} ${answer?.text}`);
		}
		return answer;
	}

	/** Sends a request and searches its answer. */
	async send(request: WireRequest): Promise<WireAnswer | undefined> {
		const answer = await this.sendText(wireTextOf(request));
		const found = this.contract?.operationOf(request.method, request.path);
		if (answer && found) {
			const operation = `${request.method} ${found.template}`;
			this.#statuses.set(operation, (this.#statuses.get(operation) ?? new Set()).add(answer.status));
		}
		return answer;
	}

	/** Sends any text and searches the answer. */
	async sendText(text: string): Promise<WireAnswer | undefined> {
		const connection = await Connection.open(this.program.url);
		try {
			connection.write(text);
			const answer = await connection.answer();
			this.#searchAnswer(text, answer, connection.rest);
			return answer;
		} finally {
			connection.close();
		}
	}

	#searchAnswer(request: string, answer: WireAnswer | undefined, rest: string): void {
		this.#answers += 1;
		const where = `the answer to ${JSON.stringify(request.slice(0, 400))}`;
		const whole = `${answer?.head ?? ''}\r\n\r\n${answer?.text ?? ''}${rest}`;
		const token = /^\{"success":true,"data":\{"token":"([^"]+)"/.exec(answer?.text ?? '')?.[1];
		if (token !== undefined) this.#learnToken(token);
		// A token is shown once, by the answer that issues it.
		const shown = token === undefined ? whole : whole.replace(token, '');
		this.#search(where, shown);
		// Swagger UI and the document are the same for everybody, and have examples.
		const found = request.startsWith('GET /swagger') ? undefined : inside.exec(shown)?.[0];
		if (found !== undefined || shown.includes(this.folder))
			throw new Error(`${found ?? this.folder} is in ${where}: ${shown}`);
	}

	#learnToken(token: string): void {
		this.#tokens += 1;
		const [, payload = '', signature = ''] = token.split('.');
		this.trap.add(`the payload of token ${this.#tokens}`, payload);
		this.trap.add(`the signature of token ${this.#tokens}`, signature);
	}

	/** Runs a command of the program and searches what it writes. */
	async run(args: string[], more: { environment?: Record<string, string>; input?: string } = {}): Promise<Ended> {
		const ended = await runToEnd({
			command: [...compiled(), ...args],
			cwd: this.folder,
			environment: { ...this.#environment, ...more.environment },
			...(more.input !== undefined && { input: more.input }),
		});
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
		for (const path of filesIn(this.folder)) {
			if (path !== this.#secretsFile) this.#search(`${path} ${when}`, readFileSync(path));
		}
		if (this.#makesSecrets !== existsSync(this.#secretsFile))
			throw new Error(`secrets.json is there just when all are given, ${when}`);
	}

	#search(where: string, content: string | Uint8Array): void {
		this.#bytes += content.length;
		this.trap.search(where, content);
	}

	/** Checks that nobody else on the machine can read the data or see a secret in the list of processes. */
	checkPrivacy(): void {
		this.#search('the command line of the process', commandLineOf(this.program.pid));
		const folders = [this.data, join(this.data, 'backups')];
		for (const path of [...folders, ...filesIn(this.data)]) {
			const expected = folders.includes(path) ? 0o700 : 0o600;
			const mode = statSync(path).mode & 0o777;
			if (mode !== expected) throw new Error(`${path} has the mode ${mode.toString(8)}, not ${expected.toString(8)}`);
		}
	}

	/** Checks that each operation of the document succeeded and refused at least once: else the search proves nothing. */
	checkCoverage(): void {
		for (const { method, template } of this.endpoints) {
			const operation = `${method} ${template}`;
			const statuses = [...(this.#statuses.get(operation) ?? [])];
			const succeeded = statuses.some((status) => status < 300);
			const refused = statuses.some((status) => status >= 400 && status < 500) || template === '/health';
			if (!succeeded || !refused) throw new Error(`${operation} was only ever answered ${statuses}`);
		}
	}

	get totals() {
		return { answers: this.#answers, bytes: this.#bytes, forms: this.trap.size, log: this.#earlierOutput.length };
	}
}

/** What it writes to standard error is kept beside its data, where it is searched with the rest. */
function launch(folder: string, environment: Record<string, string>): Promise<Program> {
	const command = ['sh', '-c', 'exec "$0" "$@" 2>>errors.txt', ...compiled()];
	return Program.start({ command, cwd: folder, environment });
}

function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
