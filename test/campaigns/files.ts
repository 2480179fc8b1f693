/** Tests whether an imported file can hold up other clients. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { csvType, xlsxType } from '../oracle.ts';
import { Server } from '../server.ts';
import { csvOf, type XmlCell, xlsxOf } from '../spreadsheets.ts';
import type { World } from '../world.ts';
import { branch, type Campaign, type Chance, counted, type Figures, forEachAtOnce, type Tools } from './campaign.ts';
import { Watch } from './vitals.ts';

interface Scale {
	/** The factors by which files are smaller than the largest. */
	divisors: readonly number[];
	/** The number of changed files. */
	mutants: number;
}

/** In milliseconds. */
const maxWait = 300;
/**
 * The limit of the program and of each file reader, in megabytes. Two readers may run at once. Each is stopped at 300,
 * which is checked 50 times a second.
 */
const maxMemory = 350;

export const files: Campaign<Scale> = {
	name: 'files',
	claim:
		`no imported file makes others wait ${maxWait} ms, or takes the program or its reader to ${maxMemory} MB, ` +
		'and each gets a proper answer',
	short: { divisors: [1000], mutants: 12 },
	full: { divisors: [100, 10, 1], mutants: 1000 },
	async run(scale, tools) {
		// Everything runs in this process, so times and memory prove nothing.
		if (!tools.judgesTimes) return tools.onWorld((world) => attack(world, scale, tools));
		return Server.with(async (server) => {
			using watch = new Watch(server);
			return { ...(await attack(server, scale, tools, watch)), ...watch.figures(maxWait, maxMemory) };
		});
	},
};

interface Upload {
	what: string;
	/** The path below `/api/employees/import`; each in turn without it. */
	route?: string;
	contentType: string;
	make: () => Uint8Array | string;
}

const routes = ['?dryRun=true', '?dryRun=false', '/problems'];

async function attack(world: World, scale: Scale, { chance, report }: Tools, watch?: Watch): Promise<Figures> {
	const store = await world.addStore({ name: '人民路店' });
	const senders = [
		await world.addPerson(store.id, 'employee:manage', 'employee:view:all'),
		await world.addPerson(store.id, 'employee:manage', 'employee:view:all'),
	];
	const statuses = new Map<number, number>();
	const uploads = [...hostileFiles(scale.divisors), ...mutants(scale.mutants, chance)];
	let sent = 0;
	await forEachAtOnce(uploads, senders.length, async ({ what, contentType, make, route: given }) => {
		const raw = make();
		const token = senders[sent % senders.length]?.token ?? '';
		sent += 1;
		if (watch) watch.current = what;
		const route = given ?? routes[sent % routes.length];
		const answer = await world.send('POST', `/api/employees/import${route}`, { token, raw, contentType });
		statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
		const isFile = answer.status === 200 && route === '/problems';
		if (![200, 201, 400, 413].includes(answer.status) || (!isFile && typeof answer.body?.success !== 'boolean')) {
			throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
		}
		if (sent % 50 === 0) report(`${sent} files, longest wait ${watch?.longest.toFixed(0)} ms`);
	});
	const answers = Array.from(statuses, ([status, count]) => `${count} × ${status}`).join(', ');
	return { files: counted(sent), answers };
}

const heading = ['姓名', '手机号', '门店', '角色', '状态', '备注'];

/** A line of the file; every value can be replaced. */
function lineOf(index: number, change: Partial<Record<'store' | 'roles' | 'remark', string>> = {}): string[] {
	const { store = '人民路店', roles = '', remark = '' } = change;
	return ['某', String(13_000_000_000 + index), store, roles, '', remark];
}

const times = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));
const linesOf = (count: number, change: Parameters<typeof lineOf>[1]) =>
	csvOf([heading, ...times(count, (index) => lineOf(index, change))]);
const after = (text: string) => `${csvOf([heading])}\r\n${text}`;
const sheetOf = (xml: string) => xlsxOf({}, { more: { 'xl/worksheets/sheet1.xml': xml } });
const mergedOf = (merged: string[]) => xlsxOf({ 1: heading, 2: lineOf(1) }, { merged });
const bytesOf = (count: number, value: number) => new Uint8Array(count).fill(value);
const rowsOf = (rows: readonly (readonly XmlCell[])[], more: Record<string, string> = {}) =>
	xlsxOf({ 1: heading, ...Object.fromEntries(rows.map((cells, index) => [index + 2, cells])) }, { more });

/** Returns pairs of marks in the wrong order for composing, whose time grows with the square of their number. */
const marks = (pairs: number) => `某${'\u0301'.repeat(pairs)}${'\u0316'.repeat(pairs)}`;
const manyRoles = times(20, (index) => `角色${index}`).join('、');

/** The largest size of a kind of file, and how it is made. */
type Files = Readonly<Record<string, readonly [largest: number, make: (size: number) => Uint8Array | string]>>;

const tables: Files = {
	'marks in a heading': [30_000, (size) => csvOf([[...heading, marks(size)], lineOf(1)])],
	'marks in a store': [30_000, (size) => linesOf(1, { store: marks(size) })],
	'marks in a role': [30_000, (size) => linesOf(1, { roles: marks(size) })],
	'marks in every remark': [4000, (size) => linesOf(size, { remark: marks(450) })],
	'marks in every store and role': [5000, (size) => linesOf(size, { store: marks(150), roles: marks(150) })],
	'long remarks': [5000, (size) => linesOf(size, { remark: '早'.repeat(500) })],
	'other names for every role': [5000, (size) => linesOf(size, { roles: manyRoles })],
	'quotes and spaces': [2_000_000, (size) => after('" '.repeat(size))],
	quotes: [4_000_000, (size) => after(`"${'""'.repeat(size)}`)],
	commas: [8_000_000, (size) => after(','.repeat(size))],
	'line breaks': [8_000_000, (size) => '\n'.repeat(size)],
	'control characters in every role': [4800, (size) => linesOf(size, { roles: `${'\u0001'.repeat(180)}、`.repeat(3) })],
	'bytes of no encoding': [8_000_000, (size) => bytesOf(size, 0xff)],
	'bytes of GB18030': [8_000_000, (size) => bytesOf(size, 0xd0)],
};

const workbooks: Files = {
	'a merged reference': [60_000, (size) => mergedOf([`A1:A${'1'.repeat(size)}`])],
	'many merged cells': [300_000, (size) => mergedOf(times(size, () => 'A1:B2'))],
	'a long number format': [100_000, (size) => formatted(1, '['.repeat(size))],
	'many styles': [100_000, (size) => formatted(size, '['.repeat(200))],
	'a shared text': [5_000_000, (size) => shared(size, 400)],
	'a shared text in every cell': [4096, (size) => shared(size, 60_000)],
	'nested elements': [4_000_000, (size) => sheetOf(`<worksheet>${'<a>'.repeat(size)}`)],
	'many elements': [4_000_000, (size) => sheetOf(`<worksheet>${'<a/>'.repeat(size)}</worksheet>`)],
	'many attributes': [500_000, (size) => sheetOf(`<worksheet ${times(size, (index) => `a${index}=""`).join(' ')}/>`)],
	'a long attribute': [8_000_000, (size) => sheetOf(`<worksheet><row r="${'1'.repeat(size)}"/></worksheet>`)],
	'a long name': [8_000_000, (size) => sheetOf(`<${'a'.repeat(size)}/>`)],
	'names of every object': [1, () => sheetOf('<__proto__><constructor/><toString r="1">x</toString></__proto__>')],
	entities: [3_000_000, (size) => sheetOf(`<worksheet>${'&lt;'.repeat(size)}</worksheet>`)],
	'an unknown entity': [8_000_000, (size) => sheetOf(`<worksheet>&${'a'.repeat(size)};</worksheet>`)],
	zeros: [24_000_000, (size) => sheetOf(' '.repeat(size))],
	'a bomb': [300_000_000, (size) => zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(size) })],
	'many files': [
		50_000,
		(size) => zipSync(Object.fromEntries(times(size, (index) => [`xl/worksheets/${index}.xml`, bytesOf(1, 0)]))),
	],
	'empty lines': [500_000, (size) => sheetOf(`<worksheet>${'<row/>'.repeat(size)}</worksheet>`)],
	formulas: [5000, (size) => rowsOf(times(size, () => [{ inside: '<f>A1</f>' }]))],
};

/** Files whose text the answer repeats. */
const repeated: Files = {
	'quotes in every cell': [4096, (size) => wide('"'.repeat(size))],
	'many texts in every cell': [
		4096,
		(size) => wide(...times(10, (each) => String.fromCharCode(0x4e00 + each).repeat(size))),
	],
};

/** Makes a sheet as wide as a reader allows. */
function wide(...texts: string[]): Uint8Array {
	const strings = `<sst>${texts.map((text) => `<si><t>${text.replaceAll('"', '&quot;')}</t></si>`).join('')}</sst>`;
	const cells = times(26, (column) => ({ type: 's', inside: `<v>${column % texts.length}</v>` }));
	return rowsOf(
		times(230, () => cells),
		{ 'xl/sharedStrings.xml': strings },
	);
}

function formatted(styles: number, format: string): Uint8Array {
	const cellStyles = '<xf numFmtId="164"/>'.repeat(styles);
	const formats = `<numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts>`;
	const styleSheet = `<styleSheet>${formats}<cellXfs>${cellStyles}</cellXfs></styleSheet>`;
	return xlsxOf({ 1: heading, 2: lineOf(1) }, { more: { 'xl/styles.xml': styleSheet } });
}

function shared(length: number, uses: number): Uint8Array {
	const strings = `<sst><si><t>${'某'.repeat(length / 3)}</t></si></sst>`;
	const cell = { type: 's', inside: '<v>0</v>' };
	return rowsOf(
		times(Math.ceil(uses / 6), () => Array(6).fill(cell)),
		{ 'xl/sharedStrings.xml': strings },
	);
}

/** Each kind in each size. */
function hostileFiles(divisors: readonly number[]): Upload[] {
	const uploadsOf = (contentType: string, files: Files, route?: string) =>
		Object.entries(files).flatMap(([what, [largest, make]]) =>
			divisors.map((divisor): Upload => {
				const size = Math.max(1, Math.round(largest / divisor));
				return { what: `${what}, ${counted(size)}`, contentType, make: () => make(size), ...(route && { route }) };
			}),
		);
	return [
		...uploadsOf(csvType, tables),
		...uploadsOf(xlsxType, workbooks),
		...uploadsOf(xlsxType, repeated, '/problems'),
	];
}

/** Yields real files with bytes changed, cut, moved or repeated; in workbooks, also inside their parts. */
function* mutants(count: number, chance: Chance): Generator<Upload> {
	const read = (name: string) => new Uint8Array(readFileSync(join(import.meta.dir, '../fixtures', name)));
	const workbook = read('libreoffice.xlsx');
	const parts = unzipSync(workbook);
	const table = read('libreoffice-gb18030.csv');
	for (let made = 0; made < count; made += 1) {
		const own = branch(chance);
		const inside = () => {
			const name = own.pick(Object.keys(parts));
			return zipSync({ ...parts, [name]: mutate(parts[name] ?? new Uint8Array(), own) });
		};
		yield* [
			{ what: `CSV ${made}`, contentType: csvType, make: () => mutate(table, own) },
			{ what: `XLSX ${made}`, contentType: xlsxType, make: () => mutate(workbook, own) },
			{ what: `XLSX ${made}, inside`, contentType: xlsxType, make: inside },
		].slice(made % 3, (made % 3) + 1);
	}
}

function mutate(bytes: Uint8Array, chance: Chance): Uint8Array {
	let mutated = Uint8Array.from(bytes);
	for (let left = 1 + chance.below(8); left > 0; left -= 1) {
		const at = chance.below(mutated.length + 1);
		const length = chance.below(1 + Math.min(200, mutated.length - at));
		const piece = mutated.subarray(at, at + length);
		const before = mutated.subarray(0, at);
		const after = mutated.subarray(at);
		mutated = chance.pick([
			() => mutated.map((byte, index) => (index === at ? chance.below(256) : byte)),
			() => Buffer.concat([before, after.subarray(length)]),
			() => Buffer.concat([before, ...Array(1 + chance.below(200)).fill(piece), after]),
			() => Buffer.concat([before, new Uint8Array(length).map(() => chance.below(256)), after]),
			() => before,
		])();
	}
	return mutated;
}
