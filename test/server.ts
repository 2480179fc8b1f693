/** The compiled program on an installation of its own, called over loopback. */
import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../src/platform/vocabulary/day.ts';
import type { Answer, Body, Sent } from './http.ts';
import { newFolder, Program } from './program.ts';
import { runHere } from './run-here.ts';
import { adminPassword, initialPassword, jwtSecret, passwordKey, secondFactorKey, World } from './world.ts';

/** The secrets that an installation is given. */
export const given = {
	ADMIN_PASSWORD: adminPassword,
	INITIAL_EMPLOYEE_PASSWORD: initialPassword,
	JWT_SECRET: jwtSecret,
	PASSWORD_KEY: passwordKey,
	SECOND_FACTOR_KEY: secondFactorKey,
};

/** The secrets for a start on a data folder: a later start would only compare the administrator's password. */
function secretsFor(folder: string) {
	const { ADMIN_PASSWORD: _, ...ofEveryStart } = given;
	return existsSync(join(folder, 'access.db')) ? ofEveryStart : given;
}

/** The settings of campaigns, besides the data folder and its secrets. */
const settings = {
	// Campaigns send more wrong passwords than any person. Other tests cover the throttle.
	LOGIN_THROTTLE: 'off',
	LOG_LEVEL: 'info',
	// The zone of the browsers, so that a day ends in both at once.
	TZ: 'Asia/Shanghai',
};

/** A day, counted from today in the programs' time zone. */
export function dayIn(days: number): string {
	return addDays(new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10), days);
}

/**
 * Makes a data folder like that of a first start with {@link given} and a stop, without the cost of that start. The
 * password of the administrator has a cheap hash.
 */
export async function newInstallation(folder = newFolder()): Promise<string> {
	started ??= startOnce().catch((error) => {
		// The next test file tries again.
		started = undefined;
		throw error;
	});
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	writeFileSync(join(folder, 'access.db'), await started, { mode: 0o600 });
	return folder;
}

/** Backdates the first start in a folder by some hours, so that an automatic backup is due. */
export function firstStartWas(hours: number, folder: string): void {
	const [mark, then] = [join(folder, 'access.installed'), new Date(Date.now() - hours * 3_600_000)];
	writeFileSync(mark, '', { mode: 0o600 });
	utimesSync(mark, then, then);
}

/** The database after a first start. */
let started: Promise<Uint8Array> | undefined;

async function startOnce(): Promise<Uint8Array> {
	const folder = newFolder();
	// It stops at once.
	await runHere(['serve'], { DATA_DIR: folder, ...given });
	return readFileSync(join(folder, 'access.db'));
}

/** Starts the program with its defaults, on a new installation unless `DATA_DIR` names a folder. */
export async function serve(environment: Record<string, string> = {}): Promise<Program> {
	const { DATA_DIR = await newInstallation() } = environment;
	return Program.start({ environment: { ...secretsFor(DATA_DIR), ...environment, DATA_DIR } });
}

/** Opens a database file while the program uses it, to read or change it. */
export function withDatabase<T>(path: string, work: (database: Database) => T): T {
	using database = new Database(path);
	return work(database);
}

/** The environment of a campaign's program on a data folder. */
export function environmentFor(folder: string): Record<string, string> {
	return { ...settings, ...secretsFor(folder), DATA_DIR: folder };
}

/** Starts the compiled program on the data folder in a folder. */
export function startProgram(folder: string, settings: Record<string, string> = {}): Promise<Program> {
	const environment = { ...environmentFor(join(folder, 'data')), ...settings };
	return Program.start({ cwd: folder, keepsOutput: false, environment });
}

/** A world behind a socket. */
export class Server extends World {
	readonly folder: string;
	program: Program;
	readonly #environment: Record<string, string>;

	private constructor(folder: string, program: Program, environment: Record<string, string>) {
		super();
		this.folder = folder;
		this.program = program;
		this.#environment = environment;
	}

	/** Starts on a new installation, whose super administrator exists. */
	static async start(environment: Record<string, string> = {}): Promise<Server> {
		const folder = newFolder();
		await newInstallation(join(folder, 'data'));
		return new Server(folder, await startProgram(folder, environment), environment);
	}

	/** Runs work on a new installation and kills the program afterwards, however the work ends. */
	static async with<T>(work: (server: Server) => Promise<T>, environment: Record<string, string> = {}): Promise<T> {
		const server = await Server.start(environment);
		try {
			return await work(server);
		} finally {
			await server.program.end('SIGKILL');
		}
	}

	async restart(): Promise<void> {
		this.program = await startProgram(this.folder, this.#environment);
	}

	get url(): string {
		return this.program.url;
	}

	get data(): string {
		return join(this.folder, 'data');
	}

	get database(): string {
		return join(this.data, 'access.db');
	}

	send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
		return this.program.send(method, path, sent);
	}

	rows(query: string, ...values: (string | number)[]): Body[] {
		using database = new Database(this.database, { readonly: true });
		return database.query(query).all(...values);
	}

	alter(work: (database: Database) => void): void {
		using database = new Database(this.database);
		database.run('pragma busy_timeout = 5000');
		database.transaction(() => work(database))();
	}

	/** Signed on every call, because a campaign may sign out or change the password. */
	get superToken(): string {
		return this.sign('SUPER_ADMIN:1', this.rows('select token_version from administrators')[0].token_version);
	}

	now(): Date {
		return new Date();
	}

	async later(): Promise<void> {
		await Bun.sleep(2);
	}

	tokenEpoch(): string {
		return this.rows('select token_epoch from installation')[0].token_epoch;
	}
}
