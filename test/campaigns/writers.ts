/**
 * Clients that change stores and people at random, and keep what they were answered: an acknowledged change must be stored
 * as it was answered, a refused one must leave no trace, an unanswered one is stored wholly or not at all.
 */
import type { Answer, Body } from '../http.ts';
import type { Server } from '../server.ts';
import { expectStatus, initialPassword } from '../world.ts';
import { branch, type Chance } from './campaign.ts';
import { requireReplayed, requireSound } from './database.ts';

interface Wish {
	method: string;
	path: string;
	body?: object;
	/** The path of what it is about, unless that is new; and the password that it gives. */
	about?: string | undefined;
	password?: string;
}

/** One client: what it made, by its path, as it was answered last; undefined where an answer never came. */
export class Writer {
	readonly things = new Map<string, Body | undefined>();
	/** The passwords that were changed, by the path of the employee. */
	readonly passwords = new Map<string, string>();
	readonly chance: Chance;
	readonly #deleted = new Set<string>();
	readonly #digit: number;
	#count = 0;

	/** `digit`, 0 to 9, is part of every name and phone, so that no two clients ever use the same. */
	constructor(digit: number, chance: Chance) {
		this.chance = chance;
		this.#digit = digit;
	}

	/** Nine digits that nobody used before. */
	#number(): string {
		this.#count += 1;
		return `${this.#digit}${String(this.#count).padStart(8, '0')}`;
	}

	#any(noun: 'stores' | 'employees'): string | undefined {
		const paths = [...this.things.keys()].filter((path) => path.startsWith(`/api/${noun}/`));
		return paths.length > 0 ? this.chance.pick(paths) : undefined;
	}

	/** Anything that it may ask for; some of it is refused, such as to delete a store where people work. */
	next(): Wish {
		const { pick, below } = this.chance;
		const [store, person] = [this.#any('stores'), this.#any('employees')];
		const storeId = Number(store?.split('/').at(-1));
		const roleIds = [1, 2, 3, 4, 5].filter(() => below(2) > 0);
		const status = pick(['ACTIVE', 'ACTIVE', 'INACTIVE']);
		const [number, other] = [this.#number(), this.#number()];
		if (store === undefined || (this.things.size < 60 && below(20) === 0))
			return { method: 'POST', path: '/api/stores', body: { name: `店 ${number}`, address: pick([null, other]) } };
		const hire: Wish = {
			method: 'POST',
			path: '/api/employees',
			body: { storeId, name: `员工 ${number}`, phone: `15${number}`, status, roleIds },
		};
		if (person === undefined || (this.things.size < 60 && below(3) === 0)) return hire;
		const change = (about: string, body: object, path = about): Wish => ({ method: 'PATCH', path, body, about });
		const remove = (about: string, path = about): Wish => ({ method: 'DELETE', path, about });
		const newPassword = `password-${number}`;
		const oldPassword = this.passwords.get(person) ?? initialPassword;
		const ofPassword = { about: person, method: 'PATCH' };
		const inStore = `/api/stores/${this.things.get(person)?.storeId ?? storeId}`;
		const rare: readonly Wish[] = [
			remove(store),
			{ ...ofPassword, path: `${person}/password/reset`, password: initialPassword },
			{ ...ofPassword, path: `${person}/password`, body: { oldPassword, newPassword }, password: newPassword },
		];
		return pick<Wish>([
			change(store, pick<object>([{ name: `店 ${number}` }, { phone: number, address: null }, { status }])),
			change(person, {
				remark: `备注 ${number}`,
				...pick<object>([{ roleIds }, { storeId }, { phone: `15${number}` }]),
			}),
			change(person, { name: `改名 ${number}`, roleIds, storeId }),
			change(person, { status }, pick([person, `${person}/status`])),
			remove(person, pick([person, `${inStore}/employees/${person.split('/').at(-1)}`])),
			// They wait for argon2, or for all who work in a store.
			below(2) === 0 ? pick(rare) : hire,
		]);
	}

	/** Takes over what came of a wish. @throws Error when it was neither done nor refused by a rule. */
	take(
		{ method, path, body, about, password }: Wish,
		answer: Pick<Answer, 'status' | 'text' | 'body'> | undefined,
	): void {
		if (answer && ![200, 201, 204, 400, 404, 409].includes(answer.status))
			throw new Error(`${method} ${path} ${JSON.stringify(body)} was ${answer.status} ${answer.text}`);
		if (answer && answer.status >= 300) return;
		const known = about ?? (answer && `${path}/${answer.body.data.id}`);
		if (known === undefined) return;
		if (password !== undefined || !answer) this.passwords.delete(known);
		if (password !== undefined && answer) this.passwords.set(known, password);
		if (method !== 'DELETE' || !answer) return void this.things.set(known, answer?.body.data);
		this.things.delete(known);
		this.#deleted.add(known);
	}

	/** Goes on with what is served. @throws Error where that is not what was answered last. */
	requireServed(served: ReadonlyMap<string, Body>): void {
		for (const path of this.#deleted) if (served.has(path)) throw new Error(`${path} was deleted, and is served`);
		for (const [path, answered] of this.things) {
			const found = served.get(path);
			const [wanted, facts] = [factsOf(answered), factsOf(found)];
			if (answered !== undefined && wanted !== facts)
				throw new Error(`${path} was answered as ${wanted}, and is served as ${facts}`);
			if (found === undefined) this.things.delete(path);
			else this.things.set(path, found);
		}
	}
}

/** The clients of an installation, and everything that they were answered. */
export class Writers {
	/** Whether connections may be lost now. */
	isEnding = false;
	acknowledged = 0;
	refused = 0;
	unanswered = 0;
	/** Of the unanswered, those that were stored all the same. */
	foundDone = 0;
	readonly #server: Server;
	readonly #token: string;
	readonly #clients: readonly Writer[];
	/** Since they were compared last, by the ids of the requests. */
	#done = new Set<string>();
	#lastRecord = 0;

	constructor(server: Server, count: number, chance: Chance) {
		this.#server = server;
		this.#token = server.superToken;
		this.#clients = Array.from({ length: count }, (_, digit) => new Writer(digit, branch(chance)));
	}

	/** All change something again and again until it is enough. */
	async writeUntil(isEnough: () => boolean): Promise<void> {
		const repeat = async (client: Writer) => {
			while (!isEnough()) await this.#write(client);
		};
		await Promise.all(this.#clients.map(repeat));
	}

	async #write(client: Writer): Promise<void> {
		const wish = client.next();
		const { method, path, body } = wish;
		const answer = await this.#server.send(method, path, { token: this.#token, body }).catch((error) => {
			if (!this.isEnding) throw error;
			return undefined;
		});
		client.take(wish, answer);
		if (answer === undefined) this.unanswered += 1;
		else if (answer.status >= 300) this.refused += 1;
		else {
			this.acknowledged += 1;
			this.#done.add(answer.headers.get('x-request-id') ?? '');
		}
	}

	/** @throws Error unless exactly the acknowledged changes are stored, and of the unanswered ones each wholly or not at all. */
	async requireStored(): Promise<void> {
		requireSound(this.#server.database);
		requireReplayed(this.#server.database);
		this.#requireRecords();
		const served = await this.#served();
		for (const client of this.#clients) client.requireServed(served);
	}

	/** Every acknowledged change has exactly one record, and every other record is of a change that was never answered. */
	#requireRecords(): void {
		const query =
			"select id, request_id from history where id > ? and target_type in ('STORE', 'EMPLOYEE') order by id";
		const found = this.#server.rows(query, this.#lastRecord);
		const ids = found.map(({ request_id }) => request_id);
		const lost = this.#done.difference(new Set(ids));
		if (lost.size > 0 || new Set(ids).size < ids.length)
			throw new Error(`${lost.size} acknowledged changes have no record, or one has two: ${[...lost].slice(0, 5)}`);
		this.foundDone += ids.length - this.#done.size;
		if (this.foundDone > this.unanswered)
			throw new Error('changes were made that nobody asked for, or that were refused');
		this.#done = new Set();
		this.#lastRecord = found.at(-1)?.id ?? this.#lastRecord;
	}

	/** What the lists have of all that lives, by path. */
	async #served(): Promise<Map<string, Body>> {
		const served = new Map<string, Body>();
		for (const list of ['/api/stores?includeInactive=true', '/api/employees?order=asc']) {
			for (let page = 1, pages = 1; page <= pages; page += 1) {
				const path = `${list}&pageSize=100&page=${page}`;
				const { items, pagination } = expectStatus(await this.#server.send('GET', path, { token: this.#token }), 200);
				for (const item of items) served.set(`${list.split('?')[0]}/${item.id}`, item);
				pages = pagination.totalPages;
			}
		}
		return served;
	}

	/** Some employees whose password was changed sign in with the present one; how many. */
	async requirePasswords(): Promise<number> {
		let signIns = 0;
		for (const { passwords, things, chance } of this.#clients) {
			const [path, password] = chance.pick([...passwords, ['', '']]);
			const person = things.get(path);
			if (person?.status !== 'ACTIVE' || person.storeStatus !== 'ACTIVE') continue;
			expectStatus(await this.#server.login('/api/auth/employee/login', person.phone, password), 200);
			signIns += 1;
		}
		return signIns;
	}
}

/** What a thing is; of its store, other changes decide. */
function factsOf(thing: Body): string {
	const { storeName: _, storeStatus: __, statusTags: ___, ...facts } = thing ?? {};
	return JSON.stringify(facts);
}
