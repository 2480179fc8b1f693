/**
 * The requests with the most to do, on a chain of a million where every phone is from one number block, everybody has
 * the same surname and one store has 30,000 employees: what they take, and how long others wait beside four of them.
 */
import { databaseOf, skewed } from './databases.ts';
import { type LoadAndOthers, load, loadWithOthers } from './load.ts';
import { residentMegabytes, type Server, signIn, startService } from './server.ts';

const keyword = (text: string) => `keyword=${encodeURIComponent(text)}`;

const targets: readonly (readonly [name: string, path: string])[] = [
	['1 digit of every phone', `/api/employees?${keyword('1')}`],
	['1 digit, enabled, last page', `/api/employees?${keyword('1')}&status=ACTIVE&page=47000`],
	['surname of everybody', `/api/employees?${keyword('王')}`],
	['surname of everybody, last page', `/api/employees?${keyword('王')}&page=50000`],
	['surname of everybody, disabled, page 2000', `/api/employees?${keyword('王')}&status=INACTIVE&page=2000`],
	['3 digits of every phone', `/api/employees?${keyword('138')}`],
	['3 digits, disabled', `/api/employees?${keyword('138')}&status=INACTIVE`],
	['4 digits of every phone', `/api/employees?${keyword('1380')}`],
	['4 digits of every phone, last page', `/api/employees?${keyword('1380')}&page=50000`],
	['5 digits of one in ten', `/api/employees?${keyword('13807')}`],
	['6 digits of one in a hundred', `/api/employees?${keyword('138077')}`],
	['7 digits', `/api/employees?${keyword('1380777')}`],
	['9 digits', `/api/employees?${keyword('138077712')}`],
	['11 digits', `/api/employees?${keyword('13807771234')}`],
	['digits that no phone has in a row', `/api/employees?${keyword('013801380')}`],
	['2 characters of a name', `/api/employees?${keyword('王芳')}`],
	['3 characters of a name', `/api/employees?${keyword('王芳伟')}`],
	['everybody, last page', '/api/employees?page=50000'],
	['enabled, last page', '/api/employees?status=ACTIVE&page=47000'],
	['huge store, first page', '/api/employees?storeId=1'],
	['huge store, disabled, last page', '/api/employees?storeId=1&status=INACTIVE&page=70'],
	['huge store, surname', `/api/employees?storeId=1&${keyword('王')}`],
	['huge store, 4 digits, disabled', `/api/employees?storeId=1&${keyword('1380')}&status=INACTIVE`],
	['huge store, no match', `/api/employees?storeId=1&${keyword('龘龘')}`],
	['huge store with all employees', '/api/stores/1'],
	['all employees of the huge store', '/api/stores/1/employees'],
];

/** What one of them takes, and what others wait. */
export interface WorstCase extends LoadAndOthers {
	target: string;
}

/** Measures each for some seconds. */
export async function measureWorstCases(options: {
	seconds: number;
	figures: Record<string, number | string>;
	command?: string[];
}): Promise<WorstCase[]> {
	const { seconds, figures, command } = options;
	const service = await startService(await databaseOf(skewed), command, 'worst-cases');
	const token = await signIn(service.url);
	const results: WorstCase[] = [];
	for (const [target, path] of targets) {
		const { alone, others } = await loadWithOthers(service.url, { path, token, for: seconds });
		results.push({ target, alone, others });
		console.error(`${target}: p50 ${alone.p50.toFixed(2)} ms, others wait up to ${others.longest.toFixed(2)} ms`);
	}
	await measureMemory(service, token, figures);
	await service.stop();
	return results;
}

/** A hundred whole lists of the huge store at once. */
async function measureMemory(service: Server, token: string, figures: Record<string, number | string>): Promise<void> {
	const headers = { authorization: `Bearer ${token}` };
	const before = residentMegabytes(service.pid);
	let most = before;
	const watch = setInterval(() => {
		most = Math.max(most, residentMegabytes(service.pid));
	}, 20);
	const lists = Array.from({ length: 100 }, async () => {
		const answer = await fetch(`${service.url}/api/stores/1/employees`, { headers });
		let bytes = 0;
		for await (const piece of answer.body ?? []) bytes += piece.length;
		return bytes;
	});
	const [, others] = await Promise.all([
		Promise.all(lists),
		load(`${service.url}/api/employees/77`, { token, for: 5 }),
	]);
	clearInterval(watch);
	figures['resident before and during 100 lists of 30,000 employees at once, MB'] = `${before}, ${most}`;
	figures['longest wait of others during them, ms'] = others.longest.toFixed(1);
}

/** The results as a table. */
export function worstCasesTable(results: readonly WorstCase[]): string {
	const rows = results.map(({ target, alone, others }) =>
		[target, alone.p50.toFixed(2), alone.p99.toFixed(2), others.p99.toFixed(2), others.longest.toFixed(2)].join(' | '),
	);
	return [
		'request on a chain of 1,000,000 | p50 ms | p99 ms | others beside four, p99 ms | longest ms',
		'--- | --: | --: | --: | --:',
		...rows,
	].join('\n');
}
