/**
 * Random requests to every operation of the published document: what it allows is accepted, what it forbids is refused,
 * and every answer is one that it announces. Their values are those of the contract, ids of what lives, and any text.
 */
import fc from 'fast-check';
import { agreesWithWords, Contract, type Document, type Endpoint, endpointsOf, nounBefore } from '../contract.ts';
import type { Answer } from '../http.ts';
import { badIntegers, endpoints } from '../oracle.ts';
import {
	adminPassword,
	adminUsername,
	expectStatus,
	initialPassword,
	newName,
	newPhone,
	type World,
} from '../world.ts';
import type { Campaign } from './campaign.ts';

interface Scale {
	/** How many new installations are tried, one after the other. */
	rounds: number;
	/** Requests to each operation in a round, and to each that checks passwords, which is slow. */
	requests: number;
	hashing: number;
}

export const fuzz: Campaign<Scale> = {
	name: 'fuzz',
	claim: 'what the published schema allows is accepted, what it forbids is refused, and every answer is as announced',
	short: { rounds: 1, requests: 24, hashing: 30 },
	full: { rounds: 20, requests: 500, hashing: 40 },
	shortSeed: 21,
	async run(scale, { chance, report, onWorld }) {
		const tally: Tally = { statuses: {}, successes: {} };
		for (let round = 0; round < scale.rounds; round += 1) {
			await onWorld(async (world) => {
				const document: Document = (await world.send('GET', '/swagger/json')).body;
				await new Round(world, document, tally, chance.below(1_000_000)).all(scale);
			});
			report(`${round + 1} of ${scale.rounds} installations`);
		}
		const { statuses, successes } = tally;
		const never = Object.keys(successes).filter((name) => successes[name] === 0);
		if (never.length > 0) throw new Error(`nothing ever succeeded at ${never.join(', ')}: this proves too little`);
		return {
			operations: Object.keys(successes).length,
			statuses: JSON.stringify(statuses),
			'fewest successes of an operation': Math.min(...Object.values(successes)),
		};
	},
};

type JsonSchema = Record<string, unknown>;
type Parameter = NonNullable<Endpoint['operation']['parameters']>[number];

/** A request; every text stands as it does in the URL or the body. */
interface Draft {
	path: Record<string, string>;
	query: [name: string, text: string][];
	body: string | undefined;
	contentType: string;
	headers: Record<string, string>;
}

/** What came of the requests: how often each status, and how many requests to each operation succeeded. */
type Tally = Record<'statuses' | 'successes', Record<string, number>>;

/** One round: the document of a new installation, what lives there, and the requests that are sent to it. */
class Round {
	readonly #world: World;
	readonly #tally: Tally;
	readonly #seed: number;
	readonly #contract: Contract;
	/** The newest things that can be named, by the noun of paths; and what means something in a field, by its name. */
	readonly #live: Record<string, number[]> = { history: [1, 2] };
	readonly #known: Record<string, unknown[]> = {
		password: [adminPassword, initialPassword],
		newPassword: [adminPassword, initialPassword],
		permission: ['till:refund'],
	};

	/** A token of somebody who may ask for an approval. */
	#cashier = '';

	constructor(world: World, document: Document, tally: Tally, seed: number) {
		this.#world = world;
		this.#contract = world.contract ?? new Contract(document);
		this.#tally = tally;
		this.#seed = seed;
	}

	async all({ requests, hashing }: Scale): Promise<void> {
		await this.#world.addPoint('till:refund');
		const { id } = await this.#world.addStore();
		this.#cashier = (await this.#world.addPerson(id, 'till:refund')).token;
		for (const endpoint of endpointsOf(this.#contract.document)) {
			// A read takes nothing away.
			if (endpoint.method !== 'GET' || Object.keys(this.#live).length === 1) await this.#populate();
			const hashes = '429' in endpoint.operation.responses;
			const property = fc.asyncProperty(this.#drafts(endpoint), (draft) => this.#exchange(endpoint, draft));
			// Fast-check makes a failing request smaller, and names the seed.
			await fc.assert(property, { numRuns: hashes ? hashing : requests, seed: this.#seed });
		}
	}

	/** The id of something new. */
	readonly #make = async (path: string, body: unknown): Promise<number> =>
		expectStatus(await this.#world.send('POST', path, { token: this.#token(), body }), 201).id;

	/** Adds things that the requests to the next operation can name, change and delete. */
	async #populate(): Promise<void> {
		const make = this.#make;
		const endsOn = new Date(this.#world.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
		this.#known.endsOn = [endsOn];
		await make('/api/programs', { name: newName(), permissions: ['store:view'], endsOn });
		const storeId = await make('/api/stores', { name: newName() });
		for (let count = 0; count < 3; count += 1) {
			await make('/api/stores', { name: newName() });
			await make('/api/roles', { code: newName('code_'), name: newName() });
			await make('/api/employees', { storeId, name: newName(), phone: newPhone(), roleIds: [1] });
		}
		const [{ id }] = this.#world.rows('select max(id) as id from employees');
		await this.#world.asSuper('POST', '/api/employees/changes', { ids: [id], change: { status: 'INACTIVE' } });
		const insert =
			"insert into second_factors select 'EMPLOYEE', max(id), 'sealed', max(created_at), 0, '[]' from employees";
		this.#world.alter((database) => database.run(insert));
		this.#look();
	}

	#look(): void {
		for (const table of ['stores', 'roles', 'employees', 'programs']) {
			const query = `select id from ${table} where deleted_at is null order by id desc limit 4`;
			this.#live[table] = this.#world.rows(query).map(({ id }) => id);
		}
		const groups = 'select distinct group_id as id from history where group_id is not null order by id desc limit 2';
		this.#live.changes = this.#world.rows(groups).map(({ id }) => id);
		const phones = this.#world.rows('select phone from employees where deleted_at is null order by id desc limit 4');
		this.#known.username = [adminUsername, ...phones.map(({ phone }) => phone)];
		this.#known.oldPassword = [initialPassword, ...(this.#known.password?.slice(-3) ?? [])];
	}

	/** Requests to an operation. Most are allowed; in the others some texts are not. */
	#drafts({ template, operation: { parameters = [], requestBody } }: Endpoint): fc.Arbitrary<Draft> {
		const texts = (place: string) =>
			parameters.filter((parameter) => parameter.in === place).map((each) => [each.name, this.#inUrl(template, each)]);
		const [contentType = 'application/json', media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
		const isJson = contentType === 'application/json';
		const body = isJson ? media && this.#bodies(media.schema) : fc.constantFrom(...files);
		return fc.record({
			path: fc.record(Object.fromEntries(texts('path'))),
			query: fc.record(Object.fromEntries(texts('query')), { requiredKeys: [] }).map((query) => Object.entries(query)),
			body: body ?? fc.constant(undefined),
			contentType: fc.constant(contentType),
			headers: oddHeaders,
		}) as fc.Arbitrary<Draft>;
	}

	/** Texts for a parameter. */
	#inUrl(template: string, { name, in: place }: Parameter): fc.Arbitrary<string> {
		const fitting = place === 'path' ? this.#idsOf(nounBefore(template, name)) : this.#fitting('query', name);
		const odd = weighted(
			[3, valuesOf('query', name).map(String)],
			[2, fc.constantFrom(...badIntegers)],
			[1, anyText.map(encoded)],
		);
		// An empty segment, or dots, would be another path.
		const staysInPlace = (text: string) => place === 'query' || !/^(?:\.|%2e){0,2}$/i.test(text);
		const inPlace = odd.filter((text) => isClear(text) && staysInPlace(text));
		return weighted([9, fitting.map(String)], [2, inPlace]);
	}

	/** Bodies: a field may be missing, hold anything, or stand beside unknown ones; a few are no JSON. */
	#bodies(schema: JsonSchema): fc.Arbitrary<string> {
		const { properties = {}, required = [] } = this.#contract.resolve(schema) as {
			properties?: Record<string, JsonSchema>;
			required?: string[];
		};
		const fields = Object.keys(properties).map((name) => {
			const fitting = this.#fitting('body', name).map((value) => JSON.stringify(value));
			const odd = weighted([2, valuesOf('body', name).map((value) => JSON.stringify(value))], [1, nearlyJson]);
			return [name, weighted([7, fitting], [1, odd], [1, anyText.map((text) => JSON.stringify(text))])] as const;
		});
		const unknown = ['id', 'unknown', 'ID', 'toString', 'createdAt'].map((name) => [name, nearlyJson] as const);
		const written = (members: object) => {
			const all = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
			return `{${all.join(',')}}`;
		};
		const whole = fc.record(Object.fromEntries(fields), { requiredKeys: required }).map(written);
		return weighted(
			[20, whole],
			[2, fc.record(Object.fromEntries([...fields, ...unknown]), { requiredKeys: [] }).map(written)],
			[1, fc.tuple(whole, fc.nat(200)).map(([text, end]) => text.slice(0, end))],
			[1, nearlyJson],
		);
	}

	/** Values for a field of this name, most of which fit: what exists, what is new, and good values of the contract. */
	#fitting(place: 'body' | 'query', name: string): fc.Arbitrary<unknown> {
		const noun = nounOf(name);
		if (noun) return name.endsWith('s') ? fc.array(this.#idsOf(noun), { maxLength: 4 }) : this.#idsOf(noun);
		const good = valuesOf(place, name, true);
		if (place === 'query' || !(name in this.#known || name in fresh)) return good;
		return weighted([6, fc.nat().map((nth) => at(this.#known[name], nth) ?? fresh[name]?.())], [1, good]);
	}

	/** Ids of things, most of which exist. They are looked up at each draw, because things come and go. */
	#idsOf(noun: string): fc.Arbitrary<number> {
		const live = fc.nat(100).map((nth) => at(this.#live[noun], nth) ?? 1);
		return weighted([12, live], [1, fc.integer({ min: 1, max: 60 })]);
	}

	async #exchange(endpoint: Endpoint, draft: Draft): Promise<void> {
		const { method, template } = endpoint;
		const query = draft.query.map((pair) => pair.join('=')).join('&');
		const path = `${template.replace(/\{(\w+)\}/g, (_, name: string) => draft.path[name] ?? '')}${query && `?${query}`}`;
		const { headers, contentType, body } = draft;
		const token = template.includes('/approval') ? this.#cashier : this.#token();
		const sent = { headers, token, ...(body !== undefined && { raw: body, contentType }) };
		const answer = await this.#world.send(method, path, sent);
		const where = `${method} ${path} gave ${answer.status} ${answer.text.slice(0, 300)}`;
		if (answer.status >= 500) throw new Error(where);
		if (!this.#world.contract) this.#contract.expectAnnounced(method, template, answer);
		const isAllowed = this.#allows(endpoint, draft);
		const isRefused = answer.body?.error?.code === 'VALIDATION_ERROR';
		if (isAllowed === isRefused && !(isRefused && namesNoPoint(answer)))
			throw new Error(`${isAllowed ? 'allowed' : 'forbidden'} by the document: ${where}`);
		const { statuses, successes } = this.#tally;
		const { operationId } = endpoint.operation;
		const isSuccess = answer.status < 300;
		statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
		if (!takesMore(endpoint)) successes[operationId] = (successes[operationId] ?? 0) + Number(isSuccess);
		if (method !== 'GET' && isSuccess) this.#learn(endpoint, draft.body);
	}

	/** Takes over what a change made, and what it showed or was given. */
	#learn({ method }: Endpoint, sent?: string): void {
		this.#look();
		const { newPassword } = method === 'PATCH' && sent ? JSON.parse(sent) : {};
		if (newPassword !== undefined) this.#known.password?.push(newPassword);
	}

	/** Made at each request, because a request may have ended the one before. */
	#token(): string {
		const [administrator] = this.#world.rows('select token_version as version from administrators');
		return this.#world.sign('SUPER_ADMIN:1', administrator.version);
	}

	/** Whether the document allows a request. */
	#allows({ operation: { parameters = [], requestBody } }: Endpoint, { path, query, body }: Draft): boolean {
		const texts = { ...path, ...Object.fromEntries(query) };
		const fit = parameters.every(({ name, schema, description }) => {
			if (texts[name] === undefined) return true;
			const text = decodeURIComponent(texts[name]);
			return this.#contract.validator(schema).Check(spelledOut(text, schema)) && agreesWithWords(text, description);
		});
		const json = requestBody?.content['application/json'];
		return fit && (json === undefined || this.#allowsBody(json.schema, body ?? ''));
	}

	#allowsBody(schema: JsonSchema, text: string): boolean {
		try {
			const value = JSON.parse(text);
			const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
			return isObject && this.#contract.allows(schema, value);
		} catch {
			return false;
		}
	}
}

/** Whether the only fault is that the chain has no point of this code, which no schema can say. */
const namesNoPoint = ({ body }: Answer) =>
	body.error.details.every(({ path }: { path: string }) => path === 'body.permission');

/** Whether only an employee succeeds, or a code of the moment: their own tests have that. */
const takesMore = ({ template }: Endpoint) => /\/approval|\/me\/second-factor/.test(template);

/** The value of a text in a URL: integers have one spelling, without sign, space, exponent or leading zero. */
function spelledOut(text: string, { type }: JsonSchema): unknown {
	if (type === 'integer' && /^(?:0|-?[1-9][0-9]*)$/.test(text)) return Number(text);
	return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

const weighted = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]) =>
	fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed());

const at = <Value>(values: readonly Value[] | undefined, nth: number) => values?.[nth % values.length];

/** Whether it is clear what a text in a URL stands for: the contract does not say what broken UTF-8 and a plus are. */
const isClear = (text: string) => !/\+|%F0$|%E0%A4%A$/.test(text);

/** The kind of thing that a field named `storeId` or `roleIds` refers to, as paths write it; `ids` are of employees. */
const nounOf = (name: string) =>
	name === 'ids' ? 'employees' : /^(store|role|employee)Ids?$/.exec(name)?.[1]?.concat('s');

/** Values that no living thing has, for the fields that must be unique. */
const fresh: Record<string, () => string> = { phone: newPhone, code: () => newName('code_'), name: () => newName() };

/** Values of the contract for a field of this name; of any name when there is none. */
function valuesOf(place: 'body' | 'query', name: string, onlyGood = false): fc.Arbitrary<unknown> {
	const all = endpoints.flatMap((endpoint) => Object.entries(endpoint[place] ?? {}));
	const own = all.filter(([each]) => each === name);
	const fields = (own.length > 0 ? own : all).map(([, field]) => field);
	return fc.constantFrom(...fields.flatMap(({ good, bad }) => (onlyGood ? good : [...good, ...bad])));
}

/** JSON of every type, and what is nearly JSON. */
const nearlyJson = fc.constantFrom(
	...String.raw`null {} [{}] {}{} 5 "5" true "text" 1e400 -0 1.0 1e0 01 +1 NaN 'x' undefined "\x41" "\u0000"`.split(
		' ',
	),
	...['', '"\0"', '{"then":1,"toJSON":1}', `${'['.repeat(500)}1${']'.repeat(500)}`],
);

/** Characters of every kind: those that a program may trip over, and any of Unicode. */
const anyText = fc.string({
	unit: weighted(
		[3, fc.constantFrom(...'aZ09_%+\\"\'<王😀 ')],
		[1, fc.constantFrom(...'\0\u0007\t\n\r\u007f\u0085\u200b\u202e\u2028\u3000\ufeff\uffff\ud800')],
		[1, fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))],
	),
	maxLength: 16,
});

/** Headers that change nothing. */
const oddHeaders = fc.constantFrom<Record<string, string>>(
	...[{}, {}, {}, { range: 'bytes=0-0' }, { cookie: '__proto__=1; %E0%A4%A=%; ;;=' }, { 'if-none-match': '*' }],
	...[{ 'x-http-method-override': 'DELETE' }, { 'x-original-url': '/health' }, { accept: '\u00ff;q=nothing' }],
);

const files = ['', '姓名,手机号,门店\n', '姓名,手机号,门店\n王,13800138000,某店\n', '"', '\0', 'a,b\n1,2\n'];
