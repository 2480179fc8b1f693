/** Walks through the pages of lists while others write. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../server.ts';
import { expectStatus } from '../world.ts';
import type { Figures } from './campaign.ts';
import { repeatedly } from './repeatedly.ts';
import type { Traffic } from './traffic.ts';

const lists = [
	{ path: '/api/employees?', alive: 'select id from employees where deleted_at is null' },
	{ path: '/api/employees?storeId=3&', alive: 'select id from employees where store_id = 3 and deleted_at is null' },
	{
		path: '/api/employees?keyword=%E6%96%B0&',
		alive: "select id from employees where instr(name, '新') and deleted_at is null",
	},
	{ path: '/api/stores?', alive: "select id from stores where status = 'ACTIVE' and deleted_at is null" },
];

/** How many walks through each list, and how many employees there are before. */
export interface WalkScale {
	walks: number;
	employees: number;
}

/** Reads lists page by page, first while others only append, then while they also delete. */
export async function walkBesideWriters(
	server: Server,
	traffic: Traffic,
	{ walks, employees }: WalkScale,
): Promise<Figures> {
	const token = server.superToken;
	const create = async (path: string, body: object): Promise<number> =>
		expectStatus(await server.send('POST', path, { token, body }), 201).id;
	const hire = () => create('/api/employees', traffic.newPerson(3));
	const open = () => create('/api/stores', { name: traffic.newPerson(3).name });
	for (let count = 0; count < employees; count += 1) await hire();
	for (let count = 0; count < employees / 10; count += 1) await open();
	let pages = 0;
	const walkAll = async (isComplete: boolean) => {
		for (let walk = 0; walk < walks; walk += 1) {
			for (const { path, alive } of lists) {
				const before = isComplete ? server.rows(alive).map(({ id }) => Number(id)) : [];
				pages += await walkThrough(server, path, before);
			}
		}
	};
	const appending = [paced(hire), paced(open)];
	await walkAll(true);
	const appended = await Promise.all(appending.map((writer) => writer.stop()));
	const deleting = paced(async () => {
		const hired = [await hire(), await hire(), await hire()];
		const oldest = server.rows('select id from employees where store_id = 3 and deleted_at is null limit 1')[0];
		for (const id of [...hired, oldest.id]) await server.send('DELETE', `/api/employees/${id}`, { token });
	});
	await walkAll(false);
	return {
		'pages of lists beside writers': pages,
		'hires and openings in the meantime': appended.join(', '),
		'rounds of hiring and deleting in the meantime': await deleting.stop(),
	};
}

/** A slow writer: a list that grows faster than it is read has no end. */
function paced(write: () => Promise<unknown>) {
	return repeatedly(async () => {
		await write();
		await pause(5);
	});
}

/**
 * Ids only rise through a whole walk, because a deletion moves later rows forward and never back; so no row appears
 * twice. Every id of `before` must be found, and the total and items of a page must be of the same moment.
 * @returns how many pages there were.
 */
async function walkThrough(server: Server, path: string, before: readonly number[]): Promise<number> {
	const seen = new Set<number>();
	let last = 0;
	for (let page = 1; ; page += 1) {
		const address = `${path}page=${page}&pageSize=20`;
		const { items, pagination } = expectStatus(await server.send('GET', address, { token: server.superToken }), 200);
		const { total, totalPages } = pagination;
		const expected = Math.min(20, Math.max(0, total - (page - 1) * 20));
		if (items.length !== expected || totalPages !== Math.ceil(total / 20)) {
			throw new Error(`GET ${address} shows ${items.length} items, but says ${JSON.stringify(pagination)}`);
		}
		for (const { id } of items) {
			if (id <= last) throw new Error(`GET ${address} shows ${id} after ${last}`);
			seen.add(id);
			last = id;
		}
		if (page < totalPages) continue;
		const missed = before.filter((id) => !seen.has(id));
		if (missed.length > 0) throw new Error(`a walk through ${path} beside writers missed the ids ${missed}`);
		return page;
	}
}
