/** What campaigns run against: the compiled binary on an installation whose secrets are known, called over loopback. */
import { Database } from 'bun:sqlite';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { compiled, newFolder, Program } from '../program.ts';

export const adminPassword = 'campaign-administrator';
export const initialPassword = 'campaign-initial-password';
export const jwtSecret = 'a-secret-of-the-campaigns-that-is-long-enough';

/** What the binary is started with, besides the data folder. */
export const settings = {
	ADMIN_PASSWORD: adminPassword,
	INITIAL_EMPLOYEE_PASSWORD: initialPassword,
	JWT_SECRET: jwtSecret,
	// A campaign signs in wrongly more often than any person; the throttle has tests of its own.
	LOGIN_THROTTLE: 'off',
	LOG_LEVEL: 'info',
};

/** What a request carries. `body` is sent as JSON. */
export interface Sent {
	token?: string;
	body?: unknown;
	headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: campaigns look into answers of every shape.
type Body = any;

/** An answer; `body` is undefined where there is none. */
export interface Answer {
	status: number;
	body: Body;
	headers: Headers;
	text: string;
}

/** Starts the compiled binary on a folder; with `command`, inside of another program such as `strace`. */
export function startProgram(
	folder: string,
	environment: Record<string, string> = {},
	command: readonly string[] = [],
): Promise<Program> {
	return Program.start({
		command: [...command, ...compiled()],
		cwd: folder,
		keepsOutput: false,
		environment: { ...settings, DATA_DIR: join(folder, 'data'), ...environment },
	});
}

/** An installation with a running server. */
export class Rig {
	readonly folder: string;
	program: Program;
	#key: Buffer | undefined;
	readonly #environment: Record<string, string>;
	readonly #command: readonly string[];

	private constructor(
		folder: string,
		program: Program,
		environment: Record<string, string>,
		command: readonly string[],
	) {
		this.folder = folder;
		this.program = program;
		this.#environment = environment;
		this.#command = command;
	}

	/**
	 * A new installation; its super administrator is there when this resolves. Another data folder can be given in the
	 * environment; with `command`, it runs inside of another program.
	 */
	static async start(environment: Record<string, string> = {}, command: readonly string[] = []): Promise<Rig> {
		const folder = newFolder();
		const program = await startProgram(folder, environment, command);
		await program.signIn('admin', adminPassword);
		return new Rig(folder, program, environment, command);
	}

	/** Starts the program again after it ended. */
	async restart(): Promise<void> {
		this.program = await startProgram(this.folder, this.#environment, this.#command);
	}

	/** The data folder. */
	get data(): string {
		return this.#environment.DATA_DIR ?? join(this.folder, 'data');
	}

	get database(): string {
		return join(this.data, 'access.db');
	}

	/** Reads rows of the database beside the server. */
	rows(query: string, ...values: (string | number)[]): Body[] {
		const client = new Database(this.database, { readonly: true });
		try {
			return client.query(query).all(...values);
		} finally {
			client.close();
		}
	}

	/** A token as a sign-in would give, without its hashing. */
	sign(sub: string, version: number, issuedAt = Math.floor(Date.now() / 1000)): string {
		this.#key ??= createHmac('sha256', jwtSecret)
			.update(this.rows('select token_epoch from installation')[0].token_epoch)
			.digest();
		const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
		const claims = { version, iss: 'access', aud: 'access', sub, iat: issuedAt, exp: issuedAt + 7200 };
		const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
		return `${content}.${createHmac('sha256', this.#key).update(content).digest('base64url')}`;
	}

	/** A token of the super administrator. */
	get superToken(): string {
		return this.sign('SUPER_ADMIN:1', this.rows('select token_version from administrators')[0].token_version);
	}

	/** A token of an employee, as signing in now would give. */
	tokenOf(id: number): string {
		return this.sign(
			`EMPLOYEE:${id}`,
			this.rows('select token_version from employees where id = ?', id)[0].token_version,
		);
	}

	/** Sends a request. */
	async send(method: string, path: string, { token, body, headers: more }: Sent = {}): Promise<Answer> {
		const headers = new Headers(more);
		if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
		if (body !== undefined) headers.set('content-type', 'application/json');
		const payload = body === undefined ? null : JSON.stringify(body);
		const response = await this.program.request(path, { method, headers, body: payload });
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.startsWith('application/json');
		return { status: response.status, body: isJson ? JSON.parse(text) : undefined, headers: response.headers, text };
	}
}
