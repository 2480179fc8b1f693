/**
 * Adding many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new employee,
 * and what is wrong with it is said in the same words.
 */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { Passwords } from '../auth/password.ts';
import type { Db } from '../database/open.ts';
import { snapshot, transaction } from '../database/query.ts';
import { AppError, ruleBroken } from '../errors.ts';
import type { UploadedFile } from '../http/body.ts';
import { clean } from '../http/fields.ts';
import { listRoles } from '../roles/service.ts';
import { type Caller, stillPermitted } from '../session/actor.ts';
import { readCsv } from '../spreadsheet/read-csv.ts';
import { readXlsx } from '../spreadsheet/read-xlsx.ts';
import { type Cell, type Row, type Sheet, SheetError } from '../spreadsheet/sheet.ts';
import {
	type Column,
	columns,
	headings,
	mostLines,
	requiredColumns,
	roleSeparator,
	roleWords,
	statusWords,
} from './columns.ts';
import { addEmployee, type Hire } from './hiring.ts';
import { peopleWithPhones, storesForImport } from './import-lookup.ts';
import { CreateEmployee, employeeMessages, type ImportProblem, type ImportResult } from './model.ts';
import { bindableRoles, mayReachStore } from './reach.ts';
import { addToIndex } from './search-index.ts';

/** How many problems are answered at most. */
const mostProblems = 200;
const mebibyte = 1_048_576;

/** The most bytes of a spreadsheet after decompression. */
const mostBytes = 24 * mebibyte;

const messages = {
	unreadableCsv: (line: number | undefined) =>
		`不是可以读取的 CSV 文件${line === undefined ? '' : `：第 ${line} 行有误`}`,
	unreadableXlsx: '不是可以读取的 XLSX 文件',
	encoding: 'CSV 文件的编码须为 UTF-8 或 GB18030',
	tooManyLines: `一次最多导入 ${mostLines} 行`,
	tooManyBytes: `文件解压后不能超过 ${mostBytes / mebibyte} MiB`,
	busy: '正在处理其他导入，请稍后再试',
	noLines: '文件中没有要导入的员工',
	noHeading: (missing: readonly Column[]) =>
		`第一行须为标题，缺少：${missing.map((column) => headings[column][0]).join('、')}`,
	sameHeading: (column: Column) => `标题“${headings[column][0]}”出现了多次`,
	problems: (count: number) => `导入文件有 ${count} 处问题`,
	emptyLine: '空行，请删除',
	merged: '有合并的单元格，请取消合并',
	formula: '单元格是公式，请改为文字',
	date: '单元格是日期，请改为文字',
	error: '单元格是错误值',
	shortened: (text: string) => `电子表格把号码缩写成了 ${text}，请把这一列设为文本后重新填写`,
	required: '必填',
	badStatus: `须为 ${Object.values(statusWords)
		.map(([word]) => word)
		.join(' 或 ')}`,
	sameName: (word: string) => `有多个角色名为“${word}”，请填写角色编码`,
	samePhone: (line: number) => `与第 ${line} 行的手机号相同`,
} as const;

/** One line of the file, by column. */
interface Line {
	number: number;
	cells: ReadonlyMap<Column, Cell>;
}

/** The lines of a file, and what is wrong with its layout. */
interface Table {
	lines: Line[];
	problems: ImportProblem[];
}

/**
 * Imports a file; with `dryRun` it only says what would happen.
 * @throws AppError BAD_REQUEST with every problem of the lines unless it is a dry run, or when the file cannot be read;
 * PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when other imports wait; FORBIDDEN when the caller lost the permission.
 */
export async function importEmployees(
	{ db, passwords, now }: { db: Db; passwords: Passwords; now: () => string },
	caller: Caller,
	file: UploadedFile,
	{ dryRun }: { dryRun: boolean },
): Promise<ImportResult> {
	const table = await inTurn(() => readTable(file));
	const lines = table.lines.length;
	const check = () => {
		const current = stillPermitted(db, caller, 'employee:manage');
		return { current, ...checkLines(db, current, table) };
	};
	if (dryRun) {
		const { problems } = snapshot(db, check);
		return { lines, created: 0, problems: problems.slice(0, mostProblems), problemTotal: problems.length };
	}
	return transaction(db, () => {
		const { current, hires, problems } = check();
		if (problems.length > 0) throw refusalOf(problems);
		const at = now();
		const added = hires.map((hire) => addEmployee(db, current, passwords.initialHash, hire, at));
		addToIndex(db.$client, added);
		return { lines, created: added.length, problems: [], problemTotal: 0 };
	});
}

function refusalOf(problems: readonly ImportProblem[]): AppError {
	const details = problems.slice(0, mostProblems).map(({ line, column, reason }) => ({
		path: column === null ? `lines.${line}` : `lines.${line}.${column}`,
		message: reason,
	}));
	return new AppError('BAD_REQUEST', messages.problems(problems.length), { details });
}

/** How many files may wait to be read: each takes some tens of megabytes of memory. */
const mostWaiting = 4;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Reads one file after the other. @throws AppError SERVICE_UNAVAILABLE when too many wait. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
	if (waiting >= mostWaiting) throw new AppError('SERVICE_UNAVAILABLE', messages.busy, { retryAfter: 2 });
	waiting += 1;
	const turn = last.then(work);
	last = turn.catch(() => {});
	try {
		return await turn;
	} finally {
		waiting -= 1;
	}
}

async function readTable(file: UploadedFile): Promise<Table> {
	const isCsv = file.contentType === 'text/csv';
	const limits = { rows: mostLines + 1, bytes: mostBytes };
	try {
		return tableOf(isCsv ? await readCsv(file.bytes, file.charset, limits) : await readXlsx(file.bytes, limits));
	} catch (error) {
		throw error instanceof SheetError ? unreadable(error, isCsv) : error;
	}
}

function unreadable({ problem, line }: SheetError, isCsv: boolean): AppError {
	if (problem === 'encoding') return ruleBroken('BAD_REQUEST', 'body', messages.encoding);
	if (problem === 'unreadable') {
		return ruleBroken('BAD_REQUEST', 'body', isCsv ? messages.unreadableCsv(line) : messages.unreadableXlsx);
	}
	const message = problem === 'too many rows' ? messages.tooManyLines : messages.tooManyBytes;
	return new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ path: 'body', message }] });
}

/** Finds the columns by the headings in the first row that is not empty. */
function tableOf({ rows: [first, ...rows], merged }: Sheet): Table {
	if (!first) throw ruleBroken('BAD_REQUEST', 'body', messages.noLines);
	const places = placesOf(first);
	if (rows.length === 0) throw ruleBroken('BAD_REQUEST', 'body', messages.noLines);
	const lines = rows.map(({ line, cells }) => ({
		number: line,
		cells: new Map(
			Array.from(places, ([column, place]) => [column, cells[place]] as const).filter(
				(entry): entry is readonly [Column, Cell] => entry[1] !== undefined,
			),
		),
	}));
	const isUsed = (from: number, to: number) =>
		Array.from(places.values()).some((place) => place >= from && place <= to);
	const mergedLines = merged
		.filter(({ lastLine, firstColumn, lastColumn }) => lastLine > first.line && isUsed(firstColumn, lastColumn))
		.map(({ firstLine }) => ({ line: firstLine, column: null, reason: messages.merged }));
	const emptyLines = lines.flatMap(({ number }, index) => {
		const previous = lines[index - 1]?.number ?? first.line;
		return number > previous + 1 ? [{ line: previous + 1, column: null, reason: messages.emptyLine }] : [];
	});
	return { lines, problems: [...mergedLines, ...emptyLines] };
}

function placesOf({ cells }: Row): Map<Column, number> {
	const places = new Map<Column, number>();
	for (const [place, cell] of cells.entries()) {
		const text = clean(cell?.text ?? '').toLowerCase();
		const column = columns.find((each) => (headings[each] as readonly string[]).includes(text));
		if (!column) continue;
		if (places.has(column)) throw ruleBroken('BAD_REQUEST', 'body', messages.sameHeading(column));
		places.set(column, place);
	}
	const missing = requiredColumns.filter((column) => !places.has(column));
	if (missing.length > 0) throw ruleBroken('BAD_REQUEST', 'body', messages.noHeading(missing));
	return places;
}

const { name, phone, remark } = CreateEmployee.properties;
const fields = {
	name: TypeCompiler.Compile(name),
	phone: TypeCompiler.Compile(phone),
	remark: TypeCompiler.Compile(remark),
};

/** What is read from the database once for all lines. */
function lookUp(db: Db, { actor }: Caller, lines: readonly Line[]) {
	const roles = listRoles(db);
	const phones = lines.flatMap(({ cells }) => cells.get('phone')?.text ?? []);
	return {
		actor,
		stores: storesForImport(db),
		roles: roleWords(roles),
		bindable: new Set(bindableRoles(db, actor, roles).map((role) => role.id)),
		taken: peopleWithPhones(db, phones),
		firstLines: new Map<string, number>(),
	};
}

type Known = ReturnType<typeof lookUp>;

/** Reports what is wrong with a column of the line. */
type Report = (column: Column, reason: string) => undefined;

function checkLines(db: Db, caller: Caller, { lines, problems: found }: Table) {
	const known = lookUp(db, caller, lines);
	const problems = [...found];
	const hires: Hire[] = [];
	for (const line of lines) {
		const report: Report = (column, reason) => void problems.push({ line: line.number, column, reason });
		const hire = hireOf(line, known, report);
		if (hire) hires.push(hire);
	}
	problems.sort((one, other) => one.line - other.line);
	return { hires, problems };
}

/** The new employee of a line; undefined when something is wrong with it. */
function hireOf({ number, cells }: Line, known: Known, report: Report): Hire | undefined {
	const textOf = (column: Column) => readText(column, cells.get(column), report);
	const name = checkField('name', textOf('name'), report);
	const phone = checkPhone(textOf('phone'), number, known, report);
	const storeId = checkStore(textOf('store'), known, report);
	const roleIds = checkRoles(textOf('roles'), known, report);
	const status = checkStatus(textOf('status'), report);
	const remark = checkField('remark', textOf('remark'), report) ?? null;
	if (name == null || phone === undefined || storeId === undefined || roleIds === undefined || status === undefined)
		return undefined;
	return { name, phone, storeId, roleIds, status, remark };
}

/** Stands for a cell whose problem has been reported. */
const wrong = Symbol('wrong');
type Text = string | undefined | typeof wrong;

/** The text of a cell; undefined for an empty one. */
function readText(column: Column, cell: Cell | undefined, report: Report): Text {
	if (cell === undefined)
		return requiredColumns.includes(column) ? refuse(report, column, messages.required) : undefined;
	const { kind, text } = cell;
	if (kind === 'formula' || kind === 'date' || kind === 'error') return refuse(report, column, messages[kind]);
	if (column === 'phone' && /^[\d.]+E\+?\d+$/i.test(clean(text)))
		return refuse(report, column, messages.shortened(clean(text)));
	return text;
}

function refuse(report: Report, column: Column, reason: string): typeof wrong {
	report(column, reason);
	return wrong;
}

function checkField<Name extends keyof typeof fields>(column: Name, text: Text, report: Report): string | undefined {
	if (text === wrong || text === undefined) return undefined;
	const field = fields[column];
	if (field.Check(text)) return (field.Decode(text) as string | null) ?? undefined;
	return report(column, String(field.Schema().error));
}

function checkPhone(text: Text, line: number, { actor, taken, firstLines }: Known, report: Report): string | undefined {
	const phone = checkField('phone', text, report);
	if (phone === undefined) return undefined;
	const firstLine = firstLines.get(phone);
	if (firstLine !== undefined) return report('phone', messages.samePhone(firstLine));
	firstLines.set(phone, line);
	const holder = taken.get(phone);
	if (!holder) return phone;
	const isVisible = mayReachStore(actor, holder.storeId);
	return report('phone', employeeMessages.phoneTaken + (isVisible ? `：${holder.name}（${holder.storeName}）` : ''));
}

function checkStore(text: Text, { actor, stores }: Known, report: Report): number | undefined {
	if (text === wrong || text === undefined) return undefined;
	const store = stores.byName.get(clean(text)) ?? stores.byId.get(clean(text));
	if (store && !mayReachStore(actor, store.id)) return report('store', employeeMessages.otherStore);
	if (store?.status !== 'ACTIVE') return report('store', employeeMessages.badStore);
	return store.id;
}

const mostRoles = CreateEmployee.properties.roleIds;

function checkRoles(text: Text, { roles, bindable }: Known, report: Report): number[] | undefined {
	if (text === wrong) return undefined;
	const words = text?.split(roleSeparator).map(clean).filter(Boolean) ?? [];
	const ids: number[] = [];
	for (const word of words) {
		const [role, ...others] = roles.find(word);
		if (!role) return report('roles', `${employeeMessages.badRole}：${word}`);
		if (others.length > 0) return report('roles', messages.sameName(word));
		if (!bindable.has(role.id)) return report('roles', `${employeeMessages.bindsUpward}：${word}`);
		ids.push(role.id);
	}
	if (ids.length > (mostRoles.maxItems ?? ids.length)) return report('roles', String(mostRoles.error));
	return ids;
}

function checkStatus(text: Text, report: Report): Hire['status'] | undefined {
	if (text === wrong) return undefined;
	if (text === undefined) return 'ACTIVE';
	const word = clean(text).toUpperCase();
	for (const [status, words] of Object.entries(statusWords) as [Hire['status'], readonly string[]][]) {
		if (words.includes(word)) return status;
	}
	return report('status', messages.badStatus);
}
