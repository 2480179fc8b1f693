/** The lists of an employee with many granted stores, right after another one was renamed. */
import { quantile } from '../campaigns/campaign.ts';
import { initialPassword } from '../world.ts';
import { type Contender, median, type Part, phoneOfNobody, send, timesAfterRenames } from './measure.ts';
import { listsOf } from './worst.ts';

/** Makes an employee of the first store who sees the people of stores. @returns their id and token */
async function newReader(contender: Contender): Promise<{ id: number; token: string }> {
	const role = await send(contender, 'POST', '/api/roles', { code: `bench_${contender.next()}`, name: '某' });
	await send(contender, 'PUT', `/api/permissions/roles/${role.id}`, { permissions: ['employee:view:store'] });
	const phone = phoneOfNobody(contender);
	const person = { storeId: 1, name: '某', phone, roleIds: [role.id] };
	const { id } = await send(contender, 'POST', '/api/employees', person);
	return { id, token: await contender.program.signIn(phone, initialPassword) };
}

/** For each program, an employee with 50 single stores, and one with an area of all stores. */
const readers = new WeakMap<Contender, Promise<Record<string, Contender>>>();

/** @returns the contender with each reader's token. */
async function makeReaders(contender: Contender): Promise<Record<string, Contender>> {
	const { items }: { items: { id: number }[] } = await send(contender, 'GET', '/api/stores?status=ACTIVE&pageSize=100');
	const stores = items.slice(1, 51).map(({ id: storeId }) => ({ storeId }));
	const { id: areaId } = await send(contender, 'POST', '/api/areas', { name: '全部' });
	const all: { id: number }[] = await send(contender, 'GET', '/api/stores?includeInactive=true');
	await send(contender, 'POST', '/api/stores/changes', { ids: all.map(({ id }) => id), change: { areaId } });
	const given = { '50 stores': { stores, areas: [] }, 'an area of all': { stores: [], areas: [{ areaId }] } };
	const made: Record<string, Contender> = {};
	for (const [name, reach] of Object.entries(given)) {
		const { id, token } = await newReader(contender);
		const kept = await send(contender, 'PUT', `/api/employees/${id}/reach`, reach);
		if (!kept) throw new Error(`nobody could be given ${name}`);
		made[name] = { ...contender, token };
	}
	return made;
}

export const reachPart: Part = {
	kinds: ['ordinary'],
	sizes: [100_000],
	measures: (size) => [
		{
			what: 'list, p95',
			async run(contender) {
				const figures: Record<string, number> = {};
				const medians: number[] = [];
				for (const [name, reader] of Object.entries(await readers.getOrInsertComputed(contender, makeReaders))) {
					for (const [list, query] of Object.entries(listsOf(size))) {
						const times = await timesAfterRenames(contender, `/api/employees?${query}`, 40, reader);
						figures[`${list}, ${name}`] = quantile(times, 0.95);
						medians.push(median(times));
					}
				}
				const slowest = Math.max(...Object.values(figures));
				return { ...figures, slowest, 'slowest median': Math.max(...medians) };
			},
			limits: { slowest: { milliseconds: 25 } },
		},
	],
};
