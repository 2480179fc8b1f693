/**
 * Adding many employees from a spreadsheet: all of them or none. Each line follows every rule of a single new employee,
 * and what is wrong with it is said in the same words.
 */

import type { Passwords } from '../auth/password.ts';
import type { Db } from '../database/open.ts';
import { largeTransaction } from '../database/query.ts';
import { addEmployee, type Hire } from '../employees/hiring.ts';
import { CreateEmployee, employeeMessages } from '../employees/model.ts';
import { startWithOneTimePassword } from '../employees/one-time-passwords.ts';
import { bindableRoles, mayReachStore } from '../employees/reach.ts';
import { AppError } from '../errors.ts';
import type { Upload } from '../http/body.ts';
import type { Log } from '../log.ts';
import { listRoles } from '../roles/service.ts';
import { type Actor, accountOf, type Caller, ownStoreOf, stillPermitted } from '../session/actor.ts';
import { type Column, looseRoleSeparator, roleWords } from './columns.ts';
import { byPlace, excerpt, type ImportFile, type ImportLine, type ImportTable } from './import-file.ts';
import { peopleWithPhones, storesForImport } from './import-lookup.ts';
import { markedFile } from './import-marked.ts';
import type { InTurn } from './import-turns.ts';
import type { ImportCount, ImportProblem, ImportProblemGroup, ImportResult } from './model.ts';

/**
 * Reads a file outside of this process.
 * @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when it cannot be read.
 */
export type ReadImport = (file: ImportFile, signal: AbortSignal) => Promise<ImportTable>;

/** What imports need. */
export interface ImportDependencies {
	db: Db;
	passwords: Passwords;
	now: () => string;
	log: Log;
	inTurn: InTurn;
	readImport: ReadImport;
}

/** An import in one request. */
export interface ImportRequest {
	upload: Upload;
	/** Whether to only say what would happen. */
	dryRun: boolean;
	/** Whether everybody gets a one-time password in place of the initial one. */
	oneTimePasswords: boolean;
	/** Aborted when the caller is gone. */
	signal: AbortSignal;
}

/** How many phones that are taken in other stores somebody confined to a store learns from one file. */
const maxNamedElsewhere = 20;

/** How many problems are answered, and how many groups of equal ones. */
const maxProblems = 200;

const noStore = (word: string) => `没有门店“${word}”`;

const disabledStore = (name: string) => `门店“${name}”已禁用`;

const sameName = (word: string) => `有多个角色名为“${word}”，请填写角色代号`;

/**
 * Imports a file; with `dryRun` it only says what would happen.
 * @throws AppError BAD_REQUEST with every problem of the lines unless it is a dry run, or when the file cannot be read;
 * PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when other imports wait; FORBIDDEN when the caller lost the permission.
 */
export async function importEmployees(
	{ db, passwords, now, log, inTurn, readImport }: ImportDependencies,
	caller: Caller,
	{ upload, dryRun, oneTimePasswords, signal }: ImportRequest,
): Promise<ImportResult> {
	const { contentType, charset } = upload;
	const account = accountOf(caller.actor);
	const about = { id: caller.requestId, account, dryRun };
	log.info('import begins', about);
	return inTurn(account, upload.receive, async ({ bytes }) => {
		const table = await readImport({ contentType, charset, bytes }, signal);
		const checked = dryRun ? await inTurns(check(db, caller, table)) : undefined;
		const result = checked
			? outcomeOf(table, checked)
			: keep({ db, passwords, now }, caller, table, { oneTimePasswords });
		const { lines, created, problemTotal } = result;
		log.info('import ended', { ...about, lines, created, problemTotal, takenElsewhere: checked?.takenElsewhere });
		return result;
	});
}

/**
 * The file of an import as a workbook that says what is wrong with each line, in parts; nothing is kept.
 * @throws AppError as {@link importEmployees} does for a dry run.
 */
export async function markImport(
	{ db, log, inTurn, readImport }: Omit<ImportDependencies, 'passwords' | 'now'>,
	caller: Caller,
	{ upload, signal }: Pick<ImportRequest, 'upload' | 'signal'>,
): Promise<Uint8Array[]> {
	const { contentType, charset } = upload;
	const account = accountOf(caller.actor);
	log.info('import begins', { id: caller.requestId, account, dryRun: true });
	return inTurn(account, upload.receive, async ({ bytes }) => {
		const table = await readImport({ contentType, charset, bytes, keepsRows: true }, signal);
		const checked = await inTurns(check(db, caller, table));
		const { problems, problemTotal } = problemsOf(table, checked);
		const marked = await Array.fromAsync(markedFile(table, problems));
		const { takenElsewhere } = checked;
		log.info('import marked', { id: caller.requestId, account, problemTotal, takenElsewhere });
		return marked;
	});
}

/** Adds everyone, or throws. */
function keep(
	{ db, passwords, now }: Pick<ImportDependencies, 'db' | 'passwords' | 'now'>,
	caller: Caller,
	table: ImportTable,
	{ oneTimePasswords }: Pick<ImportRequest, 'oneTimePasswords'>,
): ImportResult {
	return largeTransaction(db, () => {
		const checked = toTheEnd(check(db, caller, table));
		const found = problemsOf(table, checked);
		if (found.problemTotal > 0) throw refusalOf(found);
		const at = now();
		const people = checked.hires.map((hire) => ({
			id: addEmployee(db, checked.caller, passwords.initialHash, hire, at),
			...hire,
		}));
		const result = { ...outcomeOf(table, checked), created: people.length };
		if (!oneTimePasswords) return result;
		const stores = new Map(checked.stores.map(({ id, name }) => [id, name]));
		const given = people.map(({ id, name, phone, storeId }) => {
			const oneTime = startWithOneTimePassword({ db, oneTime: passwords.oneTime }, id, at);
			return { id, name, phone, storeName: stores.get(storeId) ?? '', ...oneTime };
		});
		return { ...result, passwords: given };
	});
}

/** A check in steps of a few milliseconds. */
type Steps<T> = Generator<undefined, T, undefined>;

/** Lets other requests run between the steps. */
async function inTurns<T>(steps: Steps<T>): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function toTheEnd<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

function problemsOf(table: ImportTable, { problems: found, hidden }: Checked) {
	const problems = [...table.problems, ...found].sort(byPlace);
	return { problems, problemTotal: problems.length + hidden };
}

function outcomeOf(table: ImportTable, checked: Checked): ImportResult {
	const { problems, problemTotal } = problemsOf(table, checked);
	const { hires, stores, roles } = checked;
	return {
		lines: table.lines.length,
		created: 0,
		problems: problems.slice(0, maxProblems),
		problemTotal,
		groups: groupsOf(problems).slice(0, maxProblems),
		headingLine: table.headingLine,
		unreadColumns: table.unreadColumns,
		stores: countsOf(
			hires.map(({ storeId }) => storeId),
			stores,
		),
		roles: countsOf(
			hires.flatMap(({ roleIds }) => roleIds),
			roles,
		),
		withoutRole: hires.filter(({ roleIds }) => roleIds.length === 0).length,
	};
}

/** Equal problems together, in the order of their first lines. */
function groupsOf(problems: readonly ImportProblem[]): ImportProblemGroup[] {
	const groups = new Map<string, ImportProblemGroup>();
	for (const { line, ...problem } of problems) {
		const key = JSON.stringify([problem.column, problem.value, problem.reason]);
		const group = groups.get(key) ?? { ...problem, count: 0, lines: [] };
		groups.set(key, group);
		group.count += 1;
		const last = group.lines.at(-1);
		if (last && line <= last.last + 1) last.last = line;
		else group.lines.push({ first: line, last: line });
	}
	return Array.from(groups.values());
}

/** How often each id occurs, by id. */
function countsOf(ids: readonly number[], named: readonly Named[]): ImportCount[] {
	const counts = new Map<number, number>();
	for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	return named.map(({ id, name }) => ({ id, name, count: counts.get(id) ?? 0 })).filter(({ count }) => count > 0);
}

function refusalOf({ problems, problemTotal }: ReturnType<typeof problemsOf>): AppError {
	const details = problems.slice(0, maxProblems).map(({ line, column, reason }) => ({
		path: column === null ? `lines.${line}` : `lines.${line}.${column}`,
		message: reason,
	}));
	return new AppError('BAD_REQUEST', `导入文件有 ${problemTotal} 处问题`, { details });
}

interface Named {
	id: number;
	name: string;
}

/** What the database says to the lines of a file. */
interface Checked {
	/** The caller as they are now. */
	caller: Caller;
	hires: Hire[];
	problems: ImportProblem[];
	/** All of them, by id. */
	stores: readonly Named[];
	roles: readonly Named[];
	/** How many phones are taken in stores that the caller does not see. */
	takenElsewhere: number;
	/** How many of those are not among the problems. */
	hidden: number;
}

/** How many lines are checked in one step. */
const stepSize = 200;

function* check(db: Db, caller: Caller, { lines }: ImportTable): Steps<Checked> {
	const current = stillPermitted(db, caller, 'employee:manage');
	const known = lookUp(db, current.actor);
	const hires: Hire[] = [];
	const problems: ImportProblem[] = [];
	for (let start = 0; start < lines.length; start += stepSize) {
		const step = lines.slice(start, start + stepSize);
		const taken = peopleWithPhones(
			db,
			step.flatMap(({ phone }) => phone ?? []),
		);
		for (const line of step) {
			const hire = hireOf(line, { ...known, taken }, (column, reason) => {
				const value = excerpt([line[column]].flat().join('、'));
				problems.push({ line: line.number, column, name: line.name ?? null, value, reason });
			});
			if (hire) hires.push(hire);
		}
		yield;
	}
	const { named, hidden } = known.elsewhere;
	const { stores, listed: roles } = known;
	return { caller: current, hires, problems, stores: stores.all, roles, takenElsewhere: named + hidden, hidden };
}

/** What is read from the database once for all lines. */
function lookUp(db: Db, actor: Actor) {
	const roles = listRoles(db);
	return {
		actor,
		stores: storesForImport(db),
		listed: roles,
		roles: roleWords(roles),
		bindable: new Set(bindableRoles(db, actor, roles).map((role) => role.id)),
		elsewhere: { named: 0, hidden: 0 },
	};
}

type Known = ReturnType<typeof lookUp> & { taken: ReturnType<typeof peopleWithPhones> };

/** Reports what is wrong with a column of the line. */
type Report = (column: Column, reason: string) => void;

/** The new employee of a line; undefined when something is wrong with it. */
function hireOf(line: ImportLine, known: Known, report: Report): Hire | undefined {
	const { name, status, remark } = line;
	const phone = checkPhone(line.phone, known, report);
	const storeId = checkStore(line.store, known, report);
	const roleIds = checkRoles(line.roles, known, report);
	if (name === undefined || status === undefined || remark === undefined) return undefined;
	if (phone === undefined || storeId === undefined || roleIds === undefined) return undefined;
	return { name, phone, storeId, roleIds, status, remark };
}

function checkPhone(phone: ImportLine['phone'], { actor, taken, elsewhere }: Known, report: Report) {
	const holder = phone === undefined ? undefined : taken.get(phone);
	if (!holder) return phone;
	if (mayReachStore(actor, holder.storeId)) {
		report('phone', `${employeeMessages.phoneTaken}：${holder.name}（${holder.storeName}）`);
	} else if (elsewhere.named < maxNamedElsewhere) {
		elsewhere.named += 1;
		report('phone', employeeMessages.phoneTaken);
	} else elsewhere.hidden += 1;
	return undefined;
}

function checkStore(word: ImportLine['store'], { actor, stores }: Known, report: Report): number | undefined {
	if (word === undefined) return undefined;
	const store = stores.byName.get(word) ?? stores.byId.get(word);
	// As for a single one: whether another store exists is not said.
	const own = ownStoreOf(actor);
	if (own !== undefined && store?.id !== own) return void report('store', employeeMessages.otherStore);
	if (!store) return void report('store', noStore(excerpt(word) ?? ''));
	if (store.status !== 'ACTIVE') return void report('store', disabledStore(store.name));
	return store.id;
}

const { roleIds } = CreateEmployee.properties;

function checkRoles(words: ImportLine['roles'], { roles, bindable }: Known, report: Report): number[] | undefined {
	if (words === undefined) return undefined;
	const ids = new Set<number>();
	const single = words.flatMap((word) => (roles.find(word).length > 0 ? word : word.split(looseRoleSeparator)));
	for (const word of single.filter((each) => each !== '')) {
		const [role, ...others] = roles.find(word);
		if (!role) return void report('roles', `${employeeMessages.badRole}：${word}`);
		if (others.length > 0) return void report('roles', sameName(word));
		if (!bindable.has(role.id)) return void report('roles', `${employeeMessages.bindsUpward}：${word}`);
		ids.add(role.id);
	}
	return ids.size > (roleIds.maxItems ?? ids.size) ? void report('roles', String(roleIds.error)) : Array.from(ids);
}
