/**
 * Kills the server at any moment. Clients change stores and people and keep a history like Jepsen: an acknowledged change
 * must be there, a refused one must leave no trace, and an unanswered one is there completely or not at all.
 */
import { existsSync } from 'node:fs';
import { Server } from '../server.ts';
import { expectStatus, newName, newPhone } from '../world.ts';
import { type Campaign, type Chance, type Figures, quantile, type Tools } from './campaign.ts';
import { requireReplayed, requireSound } from './database.ts';

interface Scale {
	/** The number of kills. Every `stopEvery`th time the server is stopped instead. */
	ends: number;
	stopEvery: number;
}

/** The limit of each stop and of the 99th percentile of the restarts, in milliseconds. */
const within = { stop: 10_000, restart: 1000 };

export const kill: Campaign<Scale> = {
	name: 'kill',
	claim: 'a kill loses nothing that was acknowledged, and leaves nothing half done; a stop answers all that it does',
	short: { ends: 2, stopEvery: 2 },
	full: { ends: 220, stopEvery: 11 },
	run: (scale, tools) => Server.with((server) => killAgainAndAgain(server, scale, tools)),
};

const clients = 8;

async function killAgainAndAgain(server: Server, scale: Scale, tools: Tools): Promise<Figures> {
	const { chance, report, judgesTimes } = tools;
	const changer = new Changer(server, chance);
	const restarts: number[] = [];
	const stops: number[] = [];
	let unansweredAndDone = 0;
	for (let round = 1; round <= scale.ends; round += 1) {
		const signal = round % scale.stopEvery === 0 ? 'SIGTERM' : 'SIGKILL';
		stops.push(await endWhileWriting(server, changer, signal, chance));
		const started = performance.now();
		await server.restart();
		expectStatus(await server.send('GET', '/health'), 200);
		restarts.push(performance.now() - started);
		const extra = requireStored(server, changer) - unansweredAndDone;
		if (signal === 'SIGTERM' && extra > 0) throw new Error('a stop did what it never answered');
		unansweredAndDone += extra;
		if (round % 20 === 0) report(`${round} ends, ${changer.done} acknowledged writes, nothing lost`);
	}
	const slowestStop = Math.max(...stops);
	const p99 = quantile(restarts, 0.99);
	if (judgesTimes && slowestStop >= within.stop) throw new Error(`a stop takes ${slowestStop} ms`);
	if (judgesTimes && p99 >= within.restart) throw new Error(`1 in 100 restarts takes ${p99} ms or more`);
	return {
		ends: scale.ends,
		'of them orderly stops': Math.floor(scale.ends / scale.stopEvery),
		'slowest of them in ms': Math.round(slowestStop),
		'acknowledged writes, each with one record': changer.done,
		'refused writes': changer.refused,
		'unanswered writes': changer.unanswered,
		'unanswered and done': unansweredAndDone,
		'restart p50, p99, max in ms': [quantile(restarts, 0.5), p99, Math.max(...restarts)].map(Math.round).join(', '),
	};
}

/**
 * @returns the number of unanswered changes that were made all the same.
 * @throws Error unless exactly the acknowledged changes are stored, each with one record, and each unanswered one
 * completely or not at all.
 */
function requireStored(server: Server, { requestIds, unanswered }: Changer): number {
	requireSound(server.database);
	requireReplayed(server.database);
	const records = server.rows("select request_id from history where target_type in ('STORE', 'EMPLOYEE')");
	const recorded = new Set(records.map(({ request_id }) => request_id));
	const lost = requestIds.filter((id) => !recorded.has(id));
	if (lost.length > 0 || recorded.size < records.length)
		throw new Error(`${lost.length} acknowledged changes have no record, or one has two: ${lost.slice(0, 5)}`);
	const extra = records.length - requestIds.length;
	if (extra > unanswered) throw new Error('changes were made that nobody asked for, or that were refused');
	return extra;
}

type Signal = 'SIGTERM' | 'SIGKILL';

/** Returns the milliseconds of an orderly stop; 0 for a kill. */
async function endWhileWriting(server: Server, changer: Changer, signal: Signal, { below }: Chance): Promise<number> {
	const answered = () => changer.done + changer.refused;
	const enough = answered() + 20;
	const end = async () => {
		// A server answers little right after a start, and many kills should hit a busy one.
		if (below(2) > 0) while (!changer.isEnding && answered() < enough) await Bun.sleep(5);
		await Bun.sleep(20 + below(281));
		changer.isEnding = true;
		const since = performance.now();
		return { code: await server.program.end(signal), took: performance.now() - since };
	};
	changer.isEnding = false;
	const [{ code, took }] = await Promise.all([
		end(),
		...Array.from({ length: clients }, () => changer.changeUntilEnd()),
	]);
	if (signal === 'SIGKILL') return 0;
	if (code !== 0) throw new Error(`an orderly stop exited with ${code}`);
	if (existsSync(`${server.database}-wal`)) throw new Error('an orderly stop left the log behind');
	return took;
}

type Asked = [method: string, path: string, body?: unknown];

/** Random changes by clients that may lose their connections, each fully described by one record, and their outcomes. */
class Changer {
	done = 0;
	refused = 0;
	unanswered = 0;
	/** The ids of the requests that were done. */
	readonly requestIds: string[] = [];
	/** Whether connections may be lost now. */
	isEnding = false;
	readonly #server: Server;
	readonly #chance: Chance;

	constructor(server: Server, chance: Chance) {
		this.#server = server;
		this.#chance = chance;
	}

	/** Makes one change after the other, until the connections may be lost. Ends all clients with an error. */
	async changeUntilEnd(): Promise<void> {
		while (!this.isEnding) {
			try {
				await this.#change();
			} catch (error) {
				const isLost = this.isEnding;
				this.isEnding = true;
				if (!isLost) throw error;
				this.unanswered += 1;
			}
		}
	}

	async #change(): Promise<void> {
		const [method, path, body] = this.#next();
		const { status, text, headers } = await this.#server.asSuper(method, path, body);
		if (status >= 500) throw new Error(`${method} ${path} was ${status} ${text}`);
		if (status >= 300) {
			this.refused += 1;
			return;
		}
		this.done += 1;
		this.requestIds.push(headers.get('x-request-id') ?? '');
	}

	#ids(table: string): number[] {
		return this.#server.rows(`select id from ${table} where deleted_at is null`).map(({ id }) => id);
	}

	/** Returns a random request. Some must be refused, such as deleting a store with people. */
	#next(): Asked {
		const { pick } = this.#chance;
		const [stores, people] = [this.#ids('stores'), this.#ids('employees')];
		if (stores.length < 2) return ['POST', '/api/stores', { name: newName('门店') }];
		if (people.length < 5) return ['POST', '/api/employees', this.#hire(pick(stores))];
		const [store, person, role] = [pick(stores), pick(people), pick(this.#ids('roles'))];
		const at = `/api/employees/${person}`;
		const status = pick(['ACTIVE', 'ACTIVE', 'INACTIVE']);
		const changes: (() => Asked)[] = [
			() => ['POST', '/api/employees', this.#hire(store)],
			() => ['POST', '/api/employees', this.#hire(store)],
			() => ['PATCH', at, { name: newName('改名'), phone: newPhone() }],
			// With a new text, because a change without a difference has no record.
			() => ['PATCH', at, { storeId: store, roleIds: [role], remark: newName('备注') }],
			() => ['PATCH', at, { status, remark: newName('备注') }],
			() => ['PATCH', `${at}/password/reset`],
			() => ['DELETE', at],
			() => ['POST', '/api/stores', { name: newName('门店') }],
			() => ['PATCH', `/api/stores/${store}`, { status, name: newName('门店') }],
			() => ['DELETE', `/api/stores/${store}`],
		];
		return pick(changes)();
	}

	#hire(storeId: number) {
		return { storeId, name: newName('员工'), phone: newPhone(), roleIds: [1 + this.#chance.below(5)] };
	}
}
