/** Walks through the pages of lists while others write. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../server.ts';
import { expectStatus } from '../world.ts';
import type { Figures } from './campaign.ts';
import type { Traffic } from './traffic.ts';

const lists = ['/api/employees?', '/api/employees?storeId=3&', '/api/employees?keyword=%E6%96%B0&'];

/** How many walks through each list, and how many employees there are before. */
export interface WalkScale {
	walks: number;
	employees: number;
}

/** Reads lists page by page while others hire and delete. */
export async function walkBesideWriters(
	server: Server,
	traffic: Traffic,
	{ walks, employees }: WalkScale,
): Promise<Figures> {
	const token = server.superToken;
	const hire = async (): Promise<number> =>
		expectStatus(await server.send('POST', '/api/employees', { token, body: traffic.newPerson(3) }), 201).id;
	for (let count = 0; count < employees; count += 1) await hire();
	let pages = 0;
	let rounds = 0;
	let ended = false;
	const writing = (async () => {
		for (; !ended; rounds += 1) {
			const hired = [await hire(), await hire(), await hire()];
			const oldest = server.rows('select id from employees where store_id = 3 and deleted_at is null limit 1')[0];
			for (const id of [...hired, oldest.id]) await server.send('DELETE', `/api/employees/${id}`, { token });
			await pause(5);
		}
	})();
	for (let walk = 0; walk < walks; walk += 1) {
		for (const path of lists) pages += await walkThrough(server, path);
	}
	ended = true;
	await writing;
	return { 'pages of lists beside writers': pages, 'rounds of hiring and deleting in the meantime': rounds };
}

/**
 * Ids only rise through a whole walk, because a deletion moves later rows forward and never back; so no row appears
 * twice. The total and items of a page must be of the same moment.
 * @returns how many pages there were.
 */
async function walkThrough(server: Server, path: string): Promise<number> {
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
			last = id;
		}
		if (page >= totalPages) return page;
	}
}
