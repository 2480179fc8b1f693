/** Random changes by clients that may lose their connections, each fully described by one record of a store or employee. */
import type { Server } from '../server.ts';
import { newName, newPhone } from '../world.ts';
import type { Chance } from './campaign.ts';

type Asked = [method: string, path: string, body?: unknown];

/** The requests of clients, and their outcomes. */
export class Changer {
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

	/** Makes one change after the other. */
	async changeUntil(isEnough: () => boolean): Promise<void> {
		while (!isEnough()) {
			try {
				await this.#change();
			} catch (error) {
				if (!this.isEnding) throw error;
				this.unanswered += 1;
				await Bun.sleep(5);
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
