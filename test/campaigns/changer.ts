/** Random changes of everything, by clients that may lose their connections. */
import { csvType } from '../oracle.ts';
import type { Server } from '../server.ts';
import { csvOf } from '../spreadsheets.ts';
import { newName, newPhone } from '../world.ts';
import type { Chance } from './campaign.ts';

type Asked = [method: string, path: string, body?: unknown];

/** The requests of clients, and their outcomes. */
export class Changer {
	done = 0;
	ofMany = 0;
	refused = 0;
	unanswered = 0;
	/** The ids of the requests that were done. */
	readonly requestIds: string[] = [];
	/** Whether connections may be lost now. */
	isEnding = false;
	readonly #server: Server;
	readonly #chance: Chance;
	readonly #kinds: 'all' | 'single';
	#group = 1;

	/** A `single` change is of one store or employee, changes something, and is fully described by one record. */
	constructor(server: Server, chance: Chance, kinds: 'all' | 'single') {
		this.#server = server;
		this.#chance = chance;
		this.#kinds = kinds;
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
		const sent = typeof body === 'string' ? { raw: body, contentType: csvType } : { body };
		const token = this.#server.superToken;
		const { status, text, headers, ...answer } = await this.#server.send(method, path, { token, ...sent });
		if (status >= 500) throw new Error(`${method} ${path} was ${status} ${text}`);
		if (status >= 300) {
			this.refused += 1;
			return;
		}
		this.done += 1;
		this.requestIds.push(headers.get('x-request-id') ?? '');
		const { groupId = this.#group, changed = 0 } = answer.body?.data ?? {};
		this.#group = groupId;
		if (changed > 1) this.ofMany += 1;
	}

	#ids(table: string, condition = 'deleted_at is null'): number[] {
		return this.#server.rows(`select id from ${table} where ${condition}`).map(({ id }) => id);
	}

	/** Returns a random request. Some must be refused, such as deleting a store with people. */
	#next(): Asked {
		const { pick, below } = this.#chance;
		const [stores, people] = [this.#ids('stores'), this.#ids('employees')];
		if (stores.length < 2) return ['POST', '/api/stores', { name: newName('门店') }];
		if (people.length < 5) return ['POST', '/api/employees', this.#hire(pick(stores))];
		const [store, person, role] = [pick(stores), pick(people), pick(this.#ids('roles'))];
		const at = `/api/employees/${person}`;
		const status = pick(['ACTIVE', 'ACTIVE', 'INACTIVE']);
		const single: (() => Asked)[] = [
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
		];
		if (this.#kinds === 'single') return pick<() => Asked>([...single, () => ['DELETE', `/api/stores/${store}`]])();
		const other = pick(stores);
		const some = [...new Set(Array.from({ length: 6 }, () => pick(people)))];
		const many = (change: object): Asked => ['POST', '/api/employees/changes', { ids: some, change }];
		const [area, point] = [pick([...this.#ids('areas'), 1]), pick([...this.#ids('points'), 1])];
		const gone = this.#ids('employees', 'deleted_at is not null');
		return pick<() => Asked>([
			...single,
			() => ['PATCH', `${at}/status`, { status }],
			() => ['PUT', `${at}/reach`, { stores: [{ storeId: store }], areas: [] }],
			() => ['POST', `${at}/roles`, { roleId: role, until: '2999-12-31' }],
			() => ['POST', `/api/employees/${pick([...gone, person])}/restore?storeId=${store}`],
			() => many({ status }),
			() => many(pick([{ addRoleIds: [role] }, { removeRoleIds: [role] }, { storeId: store }])),
			() => (below(3) === 0 ? many({ delete: true }) : many({ storeId: other })),
			() => ['POST', `/api/employees/changes/${this.#group}/undo?others=true`],
			() => ['POST', '/api/employees/import?mode=upsert', this.#file(store, person)],
			() => ['PATCH', `/api/stores/${store}`, { areaId: area }],
			// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
			() => ['POST', `/api/stores/${store}/close`, { moveTo: other, then: pick(['DISABLE', 'DELETE']) }],
			() => ['POST', '/api/areas', { name: newName('区域') }],
			() => ['DELETE', `/api/areas/${area}`],
			() => ['POST', '/api/roles', { code: newName('role_'), name: newName('角色') }],
			() => ['PATCH', `/api/roles/${role}`, { name: newName('角色') }],
			() => ['DELETE', `/api/roles/${role}`],
			() => ['PUT', `/api/permissions/roles/${role}`, { permissions: pick([[], ['store:view'], ['role:view']]) }],
			() => ['POST', '/api/permissions/points', { code: newName('till:p'), title: '某' }],
			() => ['DELETE', `/api/permissions/points/${point}`],
		])();
	}

	#hire(storeId: number) {
		return { storeId, name: newName('员工'), phone: newPhone(), roleIds: [1 + this.#chance.below(5)] };
	}

	#file(store: number, person: number): string {
		const added = [1, 2, 3].map(() => ['', newName('导入'), newPhone(), String(store)]);
		return csvOf([['编号', '姓名', '手机号', '门店'], [String(person), newName('改名'), newPhone(), ''], ...added]);
	}
}
