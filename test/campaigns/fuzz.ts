/**
 * Requests made from the published document alone: what it allows is accepted, everything else is refused, and every
 * answer is one that it announces. New operations of the program are covered without a change here.
 */
import fc from 'fast-check';
import type { Document } from '../contract.ts';
import { Server } from '../server.ts';
import type { Campaign, Figures } from './campaign.ts';
import { Caller, knownValues, pathOf } from './fuzz/caller.ts';
import { character } from './fuzz/character.ts';
import { type Draft, drafts, type Workshop } from './fuzz/draft.ts';
import {
	complaint,
	complaintAboutRefusal,
	neverAnswered,
	type Received,
	type SentRequest,
	type Verdict,
	verdictOn,
} from './fuzz/judge.ts';
import { Population } from './fuzz/population.ts';
import { type Contents, readDocument, type Target } from './fuzz/schema.ts';
import { Values } from './fuzz/values.ts';

interface Scale {
	/** Requests to each operation, and to each that hashes passwords. */
	requests: number;
	hashing: number;
	/** Requests to paths and methods that the document does not list. */
	strays: number;
	/** How many texts are made of each pattern. */
	samples: number;
	/** How many requests are in flight; those to operations that hash are counted apart. */
	inFlight: number;
	seed: number;
}

/** How many requests go to one operation before the next has its turn. */
const batchSize = 250;

/** `SEED=5 bun run test:long fuzz` repeats a run, as far as requests in flight together allow. */
const givenSeed = process.env.SEED === undefined ? undefined : Number(process.env.SEED);

/** After so many requests an operation must have succeeded once. */
const enoughToSucceed = 50;

export const fuzz: Campaign<Scale> = {
	name: 'fuzz',
	claim: 'what the published schema allows is accepted, everything else is refused, and every answer is as announced',
	short: { requests: 60, hashing: 12, strays: 100, samples: 15, inFlight: 8, seed: 1 },
	full: {
		requests: 10_000,
		hashing: 2000,
		strays: 5000,
		samples: 400,
		inFlight: 10,
		seed: givenSeed ?? Date.now() % 1_000_000,
	},
	async run(scale, report) {
		const server = await Server.start();
		try {
			const fuzzing = await Fuzzing.prepare(server, scale);
			await fuzzing.all(report);
			await fuzzing.askAgain();
			await fuzzing.strays();
			await expectUnpolluted(server);
			expectNothingPlanted(server);
			return fuzzing.figures();
		} finally {
			await server.program.end('SIGKILL');
		}
	},
};

/** What was sent and what came of it. */
class Tally {
	readonly verdicts: Record<Verdict, number> = { valid: 0, invalid: 0, either: 0 };
	readonly kinds: Record<Draft['kind'], number> = { valid: 0, nearly: 0, hostile: 0 };
	readonly statuses = new Map<number, number>();
	/** How many requests to each operation were made by the campaign, and how many of them succeeded. */
	readonly asked = new Map<string, number>();
	readonly successes = new Map<string, number>();
	requests = 0;

	count({ target, draft }: SentRequest, { status }: Received, verdict: Verdict): void {
		this.requests += 1;
		this.kinds[draft.kind] += 1;
		this.verdicts[verdict] += 1;
		this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
		this.asked.set(target.name, (this.asked.get(target.name) ?? 0) + 1);
		const success = status < 300 ? 1 : 0;
		this.successes.set(target.name, (this.successes.get(target.name) ?? 0) + success);
	}
}

class Fuzzing {
	readonly #server: Server;
	readonly #scale: Scale;
	readonly #contents: Contents;
	readonly #workshop: Workshop;
	readonly #tally: Tally;
	readonly #caller: Caller;

	private constructor(
		server: Server,
		scale: Scale,
		contents: Contents,
		workshop: Workshop,
		tally: Tally,
		caller: Caller,
	) {
		this.#server = server;
		this.#scale = scale;
		this.#contents = contents;
		this.#workshop = workshop;
		this.#tally = tally;
		this.#caller = caller;
	}

	static async prepare(server: Server, scale: Scale): Promise<Fuzzing> {
		const document = (await server.send('GET', '/swagger/json')).body as Document;
		const contents = readDocument(document);
		const { schemas, targets } = contents;
		const { seed, samples } = scale;
		const population = new Population();
		const values = new Values({ schemas, population, known: knownValues(server), samples, seed });
		const workshop: Workshop = { values, schemas, owned: ownedMembers(contents) };
		const tally = new Tally();
		const inspect = (sent: SentRequest, received: Received) => {
			const verdict = verdictOn(sent);
			const wrong = complaint(sent, received, verdict, contents);
			if (wrong !== undefined) throw new Error(`${wrong}\n${described(sent, received)}`);
			tally.count(sent, received, verdict);
		};
		const caller = await Caller.prepare(server, { population, targets, inspect, seed });
		await caller.populate(workshop);
		return new Fuzzing(server, scale, contents, workshop, tally, caller);
	}

	/** Every operation in turn, a batch each, until each had its number of requests. */
	async all(report: (step: string) => void): Promise<void> {
		const { inFlight } = this.#scale;
		const hashing = this.#batches(({ hashes }) => hashes);
		const others = this.#batches(({ hashes }) => !hashes);
		const ended = new AbortController();
		const lane = async (batches: Generator<Batch>) => {
			for (const batch of batches) {
				if (ended.signal.aborted) return;
				await this.#hold(batch).finally(() => ended.signal.aborted || this.#report(report));
			}
		};
		const lanes = [...Array.from({ length: inFlight }, () => lane(others)), lane(hashing), lane(hashing)];
		try {
			await Promise.all(lanes);
		} catch (error) {
			ended.abort();
			await Promise.allSettled(lanes);
			throw error;
		}
	}

	/** By chance every request to an operation may be refused: such operations get some more. */
	async askAgain(): Promise<void> {
		for (let round = 1; round <= 5; round += 1) {
			const seed = this.#scale.seed + round * 1_000_000;
			for (const target of this.#neverSucceeded()) await this.#hold({ target, count: enoughToSucceed, seed });
		}
	}

	/** The operations that had enough requests, and none that succeeded. */
	#neverSucceeded(): Target[] {
		const { asked, successes } = this.#tally;
		return this.#contents.targets.filter(
			({ name }) => (asked.get(name) ?? 0) >= enoughToSucceed && successes.get(name) === 0,
		);
	}

	#reported = 0;

	#report(report: (step: string) => void): void {
		if (this.#tally.requests < this.#reported + 20_000) return;
		this.#reported = this.#tally.requests;
		report(`${this.#reported} requests`);
	}

	*#batches(which: (target: Target) => boolean): Generator<Batch> {
		const { requests, hashing, seed } = this.#scale;
		const targets = this.#contents.targets.filter(which);
		for (let start = 0; start < Math.max(requests, hashing); start += batchSize) {
			for (const target of targets) {
				const wanted = target.hashes ? hashing : requests;
				const count = Math.min(batchSize, wanted - start);
				if (count > 0) yield { target, count, seed: seed + start };
			}
		}
	}

	async #hold({ target, count, seed }: Batch): Promise<void> {
		const property = fc.asyncProperty(drafts(target, this.#workshop), (draft) =>
			this.#caller.send(target, draft, this.#workshop),
		);
		await this.#check(property, { numRuns: count, seed }, target.name);
	}

	/** Fast-check shrinks a failing request as far as it can. */
	async #check<Values>(
		property: fc.IAsyncProperty<Values>,
		{ numRuns, seed }: { numRuns: number; seed: number },
		name: string,
	): Promise<void> {
		const { failed, errorInstance, numShrinks, counterexamplePath } = await fc.check(property, { numRuns, seed });
		if (!failed) return;
		const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
		const again = `SEED=${this.#scale.seed}, batch ${seed}, path ${counterexamplePath}, made smaller ${numShrinks} times`;
		throw new Error(`${name}: ${reason}\n${again}`);
	}

	/** Paths and methods that the document does not list do not exist. */
	async strays(): Promise<void> {
		const { strays: numRuns, seed } = this.#scale;
		const templates = new Set(this.#contents.targets.map(({ template }) => template));
		const segment = fc.oneof(
			fc.constantFrom(...[...templates].flatMap((template) => template.split('/')), '1', 'x', '%2e', '..;', '%00', '%'),
			fc.string({ unit: character }).map((text) => encodeURIComponent(text)),
		);
		const path = fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`);
		const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
		const known = [...templates].map((template) => this.#contents.targets.filter((each) => each.template === template));
		const isKnown = (asked: string, to: string) =>
			to.startsWith('/swagger') || known.flat().some((each) => each.method === asked && leadsTo(each.template, to));
		const nearby = fc
			.record({ template: fc.constantFrom(...templates), change: fc.constantFrom(...disguises) })
			.map(({ template, change }) => change(template));
		const property = fc.asyncProperty(method, fc.oneof(path, nearby), async (asked, to) => {
			// Bun's client takes two slashes at the beginning for one; campaign transport sends them as they are.
			const target = new URL(`http://localhost${to.replace(/\{\w+\}/g, '1')}`).pathname.replace(/^\/+/, '/');
			if (isKnown(asked, target)) return;
			const response = await this.#server.program.request(target, { method: asked });
			const received = { status: response.status, headers: response.headers, text: await response.text() };
			const where = `${asked} ${target} gave ${received.status} ${received.text.slice(0, 200)}`;
			if (received.status !== 404) throw new Error(`what nobody announced is there: ${where}`);
			const wrong = complaintAboutRefusal(received, this.#contents);
			if (wrong) throw new Error(`${wrong}: ${where}`);
		});
		await this.#check(property, { numRuns, seed }, 'what is not there');
	}

	figures(): Figures {
		const { requests, verdicts, kinds, statuses, successes, asked } = this.#tally;
		const oftenAsked = [...successes].filter(([name]) => (asked.get(name) ?? 0) >= enoughToSucceed);
		const never = this.#neverSucceeded().map(({ name }) => name);
		if (never.length > 0) throw new Error(`nothing ever succeeded at ${never.join(', ')}: this proves too little`);
		const sorted = [...statuses].toSorted(([one], [other]) => one - other);
		return {
			operations: this.#contents.targets.length,
			requests,
			'made valid, nearly valid, hostile': `${kinds.valid}, ${kinds.nearly}, ${kinds.hostile}`,
			'by the schema valid, invalid, undecided': `${verdicts.valid}, ${verdicts.invalid}, ${verdicts.either}`,
			statuses: sorted.map(([status, count]) => `${status} × ${count}`).join(', '),
			'fewest successes of an operation': Math.min(...oftenAsked.map(([, count]) => count)),
			'server errors': 0,
			'statuses that are not announced': 0,
			'answers outside of the schema': 0,
			'disagreements with the schema': 0,
			'requests to what is not there': this.#scale.strays,
			seed: this.#scale.seed,
		};
	}
}

/** Paths that nearly match those of the document. */
const disguises: ((path: string) => string)[] = [
	(path) => path,
	(path) => `${path}/`,
	(path) => `/zz${path}`,
	(path) => path.toUpperCase(),
	(path) => path.replace(/(.)\//, '$1//'),
	(path) => path.replace(/(.)\//, '$1%2f'),
	(path) => `${path}%20`,
];

interface Batch {
	target: Target;
	count: number;
	seed: number;
}

/** Fields that a client must not set, each with a recognisable value. */
function ownedMembers({ answeredNames }: Contents): Workshop['owned'] {
	const inside = ['passwordHash', 'password_hash', 'passwordIsInitial', 'deletedAt', 'deleted_at', 'tokenVersion'];
	const more = ['token_version', 'is_system', 'store_id', 'created_at', 'permissions', 'roleIds', 'role'];
	return [...new Set([...answeredNames, ...inside, ...more])].map((name) => [name, JSON.stringify(plantedAs(name))]);
}

function plantedAs(name: string): unknown {
	if (/^is|editable|canManage|initial/i.test(name)) return true;
	if (/at$/i.test(name)) return '1999-01-01T00:00:00.000Z';
	if (/id$|version$/i.test(name)) return 987_654_321;
	if (/roles$/.test(name)) return [{ id: 1, code: 'planted', name: 'planted' }];
	return /s$/.test(name) ? ['planted'] : 'planted';
}

/** The request in full, so that it can be sent again, and the beginning of its answer. */
function described({ target, draft, body }: SentRequest, { status, text }: Received): string {
	const { who, nth, contentType, headers, host } = draft;
	const sent = {
		method: target.method,
		path: pathOf(target, draft).slice(0, 2000),
		who: who === 'stranger' ? `stranger ${nth}` : who,
		contentType,
		...(headers.length > 0 && { headers }),
		...(host && { host: host.name }),
		...(body && { body: new TextDecoder().decode(body).slice(0, 2000), bytes: body.length }),
	};
	return `sent ${JSON.stringify(sent)}\ngot ${status} ${text.slice(0, 500)}`;
}

function leadsTo(template: string, path: string): boolean {
	return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** Checks that no request polluted the prototype of all objects. */
async function expectUnpolluted(server: Server): Promise<void> {
	const token = server.superToken;
	const missing = await server.send('POST', '/api/stores', { token, body: {} });
	if (missing.status !== 400) throw new Error(`a store without a name: ${missing.status} ${missing.text}`);
	const body = { name: 'after all of it' };
	const store = await server.send('POST', '/api/stores', { token, body });
	const { status, address } = store.body?.data ?? {};
	if (store.status !== 201 || status !== 'ACTIVE' || address !== null) throw new Error(`a new store: ${store.text}`);
	const health = await server.send('GET', '/health');
	if (health.status !== 200) throw new Error(`not healthy after all of it: ${health.text}`);
}

/** Checks that no planted value is in the database. */
function expectNothingPlanted(server: Server): void {
	for (const { name } of server.rows(
		"select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
	)) {
		for (const row of server.rows(`select * from "${name}"`)) {
			const { password_hash: _, ...others } = row;
			const found = neverAnswered.exec(JSON.stringify(Object.values(others)));
			if (found) throw new Error(`${found[0]} is in the table ${name}: ${JSON.stringify(others)}`);
		}
	}
	const system = server.rows('select count(*) as count from roles where is_system = 1')[0].count;
	if (system !== 5) throw new Error(`there are ${system} built-in roles`);
}
