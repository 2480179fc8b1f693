/** Measures one program, or two in turn, and prints one table. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quantile, repeatDuring } from '../campaigns/campaign.ts';
import { processorMilliseconds } from '../campaigns/vitals.ts';
import { Program } from '../program.ts';
import { adminPassword, adminUsername } from '../world.ts';
import { cache, databaseOf, environmentOf, type Kind, kinds } from './databases.ts';

/** This version, or the version to compare it with. */
type Name = 'old' | 'new';

/** A program under load, on its own copy of a database. */
export interface Contender {
	name: Name;
	command: string;
	data: string;
	program: Program;
	/** The token of the super administrator. */
	token: string;
	/** The ids of employees. */
	ids: number[];
	/** Returns another number each time, for unique values. */
	next(): number;
}

/** The limit of a figure: in milliseconds, or as a multiple of the old program's figure. */
export type Limit = { milliseconds: number } | { timesOld: number };

/** Something that is measured. */
export interface Measure {
	what: string;
	/** The number of runs, in turn with the other program. The figures are medians. */
	rounds?: number;
	/** Returns the figures by name, in milliseconds unless the name says otherwise. */
	run(contender: Contender): Promise<Record<string, number>>;
	/** The limits by figure name. */
	limits?: Readonly<Record<string, Limit>>;
}

/** Measures that belong together, and the databases that they run on. */
export interface Part {
	kinds: readonly Kind[];
	/** Employees, or records of a history. */
	sizes: readonly number[];
	measures(size: number): readonly Measure[];
}

interface Row {
	what: string;
	figures: Partial<Record<Name, number>>;
	limit?: Limit | undefined;
}

/** Runs a part at one size. @returns a table in Markdown. */
export async function measure(
	part: Part,
	size: number,
	programs: readonly (readonly [Name, string])[],
): Promise<string> {
	const tables: string[] = [];
	for (const kind of part.kinds) {
		const contenders: Contender[] = [];
		for (const [name, command] of programs) contenders.push(await start(name, command, kind, size));
		const rows: Row[] = [];
		for (const each of part.measures(size)) {
			const found = await inTurn(each, contenders);
			rows.push(...found);
			for (const row of found) console.error(lineOf(row));
		}
		for (const { program } of contenders) await program.end();
		tables.push(tableOf(`${size.toLocaleString('en')}, ${kinds[kind]}`, rows));
	}
	return tables.join('\n\n');
}

async function inTurn({ what, rounds = 3, run, limits = {} }: Measure, contenders: Contender[]): Promise<Row[]> {
	const found: Record<Name, Record<string, number>[]> = { old: [], new: [] };
	for (let round = 0; round < rounds; round += 1) {
		for (const each of round % 2 === 0 ? contenders : contenders.toReversed()) found[each.name].push(await run(each));
	}
	const figures = [...new Set([...found.old, ...found.new].flatMap(Object.keys))];
	return figures.map((figure) => ({
		what: `${what}${figure && ': '}${figure}`,
		figures: Object.fromEntries(
			contenders.map(({ name }) => [name, median(found[name].map((each) => each[figure] ?? 0))]),
		),
		limit: limits[figure],
	}));
}

async function start(name: Name, command: string, kind: Kind, size: number): Promise<Contender> {
	const data = join(cache, `running-${name}`);
	const kept = await databaseOf(command, kind, size);
	rmSync(data, { recursive: true, force: true });
	cpSync(kept, data, { recursive: true });
	const program = await Program.start({ command: [command], environment: environmentOf(data), keepsOutput: false });
	const token = await program.signIn(adminUsername, adminPassword);
	const { body } = await program.send('GET', '/api/employees?status=ACTIVE&pageSize=100', { token });
	const people: { id: number }[] = body.data.items;
	let count = 0;
	const next = () => {
		count += 1;
		return count;
	};
	return { name, command, data, program, token, ids: people.map(({ id }) => id), next };
}

/** The time of one request, to the last byte of its answer, in milliseconds. @throws Error when it is refused. */
export async function timeOf({ program, token }: Contender, path: string, init: RequestInit = {}): Promise<number> {
	const begun = performance.now();
	const headers = { ...init.headers, authorization: `Bearer ${token}` };
	const answer = await program.request(path, { ...init, headers });
	if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	for await (const _ of answer.body ?? []);
	return performance.now() - begun;
}

/** Sends a request as the super administrator. @returns the data of the answer; undefined if it is refused. */
export async function send({ program, token }: Contender, method: string, path: string, body?: unknown) {
	return (await program.send(method, path, { token, body })).body?.data;
}

/** A request with a JSON body. */
export const withJson = (method: string, body: object): RequestInit => ({
	method,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(body),
});

/** Renames another employee each time. @returns the time in milliseconds */
export function rename(contender: Contender): Promise<number> {
	const count = contender.next();
	const id = contender.ids[count % contender.ids.length];
	return timeOf(contender, `/api/employees/${id}`, withJson('PATCH', { name: `王${count}芳` }));
}

/** Repeats a measurement. */
export async function repeat(count: number, measured: () => Promise<number>): Promise<number[]> {
	const times: number[] = [];
	while (times.length < count) times.push(await measured());
	return times;
}

/** Measures a request as a reader, each time right after a rename, so that no count is in memory. */
export function timesAfterRenames(contender: Contender, path: string, count: number, reader = contender) {
	return repeat(count, async () => {
		await rename(contender);
		return timeOf(reader, path);
	});
}

/** Returns a phone that no bench database has. */
export function phoneOfNobody(contender: Contender): string {
	return `14${String(contender.next()).padStart(9, '0')}`;
}

/** The time and processor time of one request, and the wait of a client that reads one employee meanwhile. */
export async function timeAndOthers(contender: Contender, path: string, init: RequestInit = {}) {
	let longest = 0;
	const { pid } = contender.program;
	const before = processorMilliseconds(pid);
	const measured = async () => {
		await Bun.sleep(50);
		return timeOf(contender, path, init);
	};
	const time = await repeatDuring(measured, async () => {
		longest = Math.max(longest, await timeOf(contender, oneEmployee));
		await Bun.sleep(1);
	});
	return { time, 'longest wait of others': longest, 'processor time': processorMilliseconds(pid) - before };
}

/** An ordinary request of a client. */
export const oneEmployee = '/api/employees/77';

/** The part of a query that searches a list. */
export const keyword = (text: string) => `keyword=${encodeURIComponent(text)}`;

export const median = (values: readonly number[]) => quantile(values, 0.5);

function lineOf({ what, figures, limit }: Row): string {
	const { old, new: own = Number.NaN } = figures;
	const ratio = old === undefined ? Number.NaN : own / old;
	return [what, shown(old), shown(own), shown(ratio), ...verdictOf(limit, own, ratio)].join(' | ');
}

function verdictOf(limit: Limit | undefined, own: number, ratio: number): [limit: string, verdict: string] {
	if (limit === undefined) return ['', ''];
	if ('milliseconds' in limit) return [`${limit.milliseconds} ms`, own <= limit.milliseconds ? 'yes' : 'NO'];
	if (Number.isNaN(ratio)) return ['', ''];
	return [`${limit.timesOld.toFixed(2)} times`, ratio <= limit.timesOld ? 'yes' : 'NO'];
}

const shown = (value = Number.NaN) => (Number.isNaN(value) ? '' : value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 0));

function tableOf(title: string, rows: readonly Row[]): string {
	const head = [`${title} | old | new | new / old | limit | holds`, '--- | --: | --: | --: | --: | ---'];
	return [...head, ...rows.map(lineOf)].join('\n');
}
