/** Sends drafts as the accounts they name, and keeps the population of resources neither empty nor crowded. */
import fc from 'fast-check';
import type { Server } from '../../server.ts';
import { adminPassword, initialPassword } from '../../world.ts';
import { bytesOf, type Draft, validDrafts, type Workshop } from './draft.ts';
import type { Received, SentRequest } from './judge.ts';
import type { Population } from './population.ts';
import { nounOfParameter, type Target } from './schema.ts';

/** How many live resources of a kind there are, more or less. */
const fewest = 10;
const most = 50;

/** Inspects each request and its answer. @throws Error when the answer is wrong. */
export type Inspect = (sent: SentRequest, received: Received) => void;

/** An account whose rights are those of one store. */
interface Scoped {
	employee: number;
	token: string;
}

/** Sends drafts. */
export class Caller {
	readonly #server: Server;
	readonly #population: Population;
	readonly #inspect: Inspect;
	#superToken: string;
	#scoped: Scoped;
	readonly #strangers: readonly string[];
	/** The operations that make and unmake a kind of resource. */
	readonly #creations = new Map<string, Target>();
	readonly #deletions = new Map<string, Target>();
	#seed: number;

	private constructor(server: Server, population: Population, scoped: number, inspect: Inspect, seed: number) {
		this.#server = server;
		this.#population = population;
		this.#inspect = inspect;
		this.#superToken = server.superToken;
		this.#scoped = { employee: scoped, token: server.tokenOf(scoped) };
		this.#strangers = strangersTo(server, scoped);
		this.#seed = seed;
	}

	/** A caller for a new installation, with an account that sees one store. */
	static async prepare(
		server: Server,
		{
			population,
			targets,
			inspect,
			seed,
		}: { population: Population; targets: Target[]; inspect: Inspect; seed: number },
	): Promise<Caller> {
		const token = server.superToken;
		const make = async (path: string, body: unknown) => {
			const answer = await server.send('POST', path, { token, body });
			if (answer.status !== 201) throw new Error(`cannot prepare: POST ${path} gave ${answer.text}`);
			return answer.body.data.id as number;
		};
		const store = await make('/api/stores', { name: 'of the campaign' });
		const role = await make('/api/roles', { code: 'of_the_campaign', name: 'of the campaign' });
		const permissions = ['employee:view:store', 'employee:manage', 'store:view'];
		await server.send('PUT', `/api/permissions/roles/${role}`, { token, body: { permissions } });
		const person = { storeId: store, name: 'of the campaign', phone: '13000000000', roleIds: [role] };
		const employee = await make('/api/employees', person);
		population.protect('stores', store);
		population.protect('roles', role);
		population.protect('employees', employee);
		for (let id = 1; id < role; id += 1) population.add('roles', id);
		const caller = new Caller(server, population, employee, inspect, seed);
		for (const target of targets) caller.#note(target);
		return caller;
	}

	#note(target: Target): void {
		const { method, template } = target;
		const [, noun = '', parameter] = /^\/api\/(\w+)(?:\/\{(\w+)\})?$/.exec(template) ?? [];
		if (method === 'POST' && target.answers.has(201)) this.#creations.set(noun, target);
		if (method === 'DELETE' && parameter !== undefined) this.#deletions.set(noun, target);
	}

	/** Makes some resources of each kind, by the operations of the document. */
	async populate(workshop: Workshop): Promise<void> {
		for (let round = 0; round < 3; round += 1) {
			for (const noun of this.#creations.keys()) await this.#replenish(noun, workshop);
		}
	}

	/** Sends a draft, has the answer inspected, and keeps the number of resources within bounds. */
	async send(target: Target, draft: Draft, workshop: Workshop): Promise<void> {
		const status = await this.#exchange(target, draft);
		const noun = nounOf(target);
		if (status === 204 && this.#population.count(noun) < fewest) await this.#replenish(noun, workshop);
		if (status === 201 && this.#population.count(noun) > most) await this.#thin(noun);
	}

	async #replenish(noun: string, workshop: Workshop): Promise<void> {
		const target = this.#creations.get(noun);
		if (!target) return;
		this.#seed += 1;
		const made = fc.sample(validDrafts(target, workshop), { numRuns: fewest, seed: this.#seed });
		for (const draft of made) await this.#exchange(target, { ...draft, who: 'super' });
	}

	/** Deletes the oldest; one that cannot be deleted goes to the end of the line. */
	async #thin(noun: string): Promise<void> {
		const target = this.#deletions.get(noun);
		const id = this.#population.oldest(noun);
		const [parameter] = target?.parameters ?? [];
		if (!target || !parameter || id === undefined) return;
		const path = { [parameter.name]: String(id) };
		const draft: Draft = { kind: 'valid', who: 'super', nth: 0, path, query: [], headers: [], contentType: undefined };
		if ((await this.#exchange(target, draft)) !== 204) this.#population.postpone(noun, id);
	}

	async #exchange(target: Target, given: Draft): Promise<number> {
		const draft = this.#sparing(target, given);
		const body = bytesOf(draft);
		let received = await this.#fetch(target, draft, body);
		// Others sign out at the same time, which may end the renewed token as well, and again.
		for (let tries = 0; tries < 50 && target.secured && received.status === 401 && this.#renew(draft); tries += 1) {
			received = await this.#fetch(target, draft, body);
		}
		this.#learn(target, draft, received);
		this.#inspect({ target, draft, body }, received);
		return received.status;
	}

	/** Redirects a change of resources that the campaign depends on. */
	#sparing(target: Target, draft: Draft): Draft {
		if (target.method === 'GET') return draft;
		const path = Object.entries(draft.path).map(([name, text]) => {
			const noun = nounOfParameter(target.template, name);
			return [name, this.#population.isProtected(noun, decoded(text)) ? String(this.#population.live(noun, 0)) : text];
		});
		return { ...draft, path: Object.fromEntries(path) };
	}

	/** Whether a token has ended, for instance by signing out: then the refusal is right. */
	#renew({ who }: Draft): boolean {
		if (who === 'super') this.#superToken = this.#server.superToken;
		if (who === 'scoped') this.#scoped.token = this.#server.tokenOf(this.#scoped.employee);
		return who === 'super' || who === 'scoped';
	}

	async #fetch(target: Target, draft: Draft, body: Uint8Array<ArrayBuffer> | undefined): Promise<Received> {
		const response = await this.#server.program.request(pathOf(target, draft), {
			method: target.method,
			headers: this.headersOf(draft),
			...(body && { body }),
		});
		return { status: response.status, headers: response.headers, text: await response.text() };
	}

	headersOf({ who, nth, contentType, headers: more, host }: Draft): Headers {
		const headers = new Headers();
		for (const [name, value] of more) headers.set(name, value);
		if (contentType !== undefined) headers.set('content-type', contentType);
		if (host) headers.set('host', host.name);
		const authorization = this.#authorizationOf(who, nth);
		if (authorization !== undefined) headers.set('authorization', authorization);
		return headers;
	}

	#authorizationOf(who: Draft['who'], nth: number): string | undefined {
		switch (who) {
			case 'super':
				return `Bearer ${this.#superToken}`;
			case 'scoped':
				return `Bearer ${this.#scoped.token}`;
			case 'stranger':
				return this.#strangers[nth % this.#strangers.length];
			case 'nobody':
				return undefined;
		}
	}

	#learn(target: Target, draft: Draft, { status, text }: Received): void {
		const noun = nounOf(target);
		const [last] = Object.values(draft.path).slice(-1);
		if (status === 204 && last !== undefined) this.#population.remove(noun, Number(decoded(last)));
		if (target.method === 'GET' || (status !== 200 && status !== 201)) return;
		const resource = JSON.parse(text).data;
		if (typeof resource?.id !== 'number') return;
		if (status === 201) this.#population.add(noun, resource.id);
		this.#population.note(noun, resource);
	}
}

/** What an operation makes or unmakes: the last noun in its path. */
function nounOf({ template }: Target): string {
	return template.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
}

/** Where a draft goes to. */
export function pathOf({ template }: Target, { path, query }: Draft): string {
	const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
	return query.length === 0 ? filled : `${filled}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Malformed tokens, and tokens of nobody. */
function strangersTo(server: Server, employee: number): string[] {
	const now = Math.floor(Date.now() / 1000);
	/** No account signs out so often. */
	const never = 1_000_000_000;
	const genuine = server.superToken;
	const [head, claims, signature] = genuine.split('.');
	const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
	const tokens = [
		...['', 'x', 'a.b.c', `${head}.${claims}`, `${head}.${claims}.`, `${unsigned}.${claims}.`],
		...[`${unsigned}.${claims}.${signature}`, `${genuine}x`, genuine.slice(0, -4)],
		...[
			server.sign('SUPER_ADMIN:1', 1, now - 8000),
			server.sign('SUPER_ADMIN:1', never),
			server.sign('SUPER_ADMIN:2', 1),
		],
		...[server.sign(`EMPLOYEE:${employee}`, never), server.sign('EMPLOYEE:99999999', 1), server.sign('__proto__:1', 1)],
	];
	const schemes = [`Basic ${genuine}`, genuine, 'Bearer', `Bearer ${genuine} ${genuine}`, `Bearer\u00a0${genuine}`];
	return [...tokens.map((token) => `Bearer ${token}`), ...schemes];
}

/** Values that mean something in fields of these names. */
export function knownValues(server: Server): (name: string) => readonly unknown[] {
	const phones = () =>
		server.rows('select phone from employees where deleted_at is null limit 60').map(({ phone }) => phone);
	let cached: { at: number; values: unknown[] } = { at: 0, values: [] };
	const usernames = () => {
		if (performance.now() - cached.at > 1000) cached = { at: performance.now(), values: ['admin', ...phones()] };
		return cached.values;
	};
	const byName: Record<string, () => readonly unknown[]> = {
		username: usernames,
		password: () => [adminPassword, initialPassword],
		oldPassword: () => [initialPassword],
		newPassword: () => [initialPassword, adminPassword],
		keyword: () => ['1', 'a', 'x', ' ', '%', '13', '管理'].filter((text) => text.trim() !== ''),
	};
	return (name) => byName[name]?.() ?? [];
}
