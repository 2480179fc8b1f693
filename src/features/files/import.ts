/** Importing a file of any kind: all of it or nothing. */
import { factsOf, record } from '../../identity/history/record.ts';
import { modified } from '../../identity/history/versions.ts';
import { type Caller, requireStillPermitted } from '../../identity/session/actor.ts';
import type { Db } from '../../platform/database/open.ts';
import { largeTransaction } from '../../platform/database/query.ts';
import type { Upload } from '../../platform/http/body.ts';
import { readIds } from '../../platform/http/fields.ts';
import type { Semaphore } from '../../platform/http/semaphore.ts';
import type { Log } from '../../platform/machine/log.ts';
import { callerLabel } from '../../platform/vocabulary/accounts.ts';
import { AppError } from '../../platform/vocabulary/errors.ts';
import type { HistoryAction } from '../../platform/vocabulary/history.ts';
import { because, textOf } from '../../platform/vocabulary/reasons.ts';
import type { Layout } from './layout.ts';
import type { FileFindings } from './marked-file.ts';
import { type ImportAnswer, type ImportQuery, maxAnswered, type ProblemGroup } from './model.ts';
import type { ImportPlan } from './plan.ts';
import type { ImportFile, ImportTable } from './read-lines.ts';

/** Reads files in another process. The signal is aborted when the client disconnects. */
export interface ImportReader {
	/** @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when the file cannot be read; SERVICE_UNAVAILABLE. */
	read(layout: Layout, file: ImportFile, signal: AbortSignal): Promise<ImportTable>;
	/** Makes a workbook of the findings. @throws AppError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE */
	mark(layout: Layout, file: ImportFile, findings: FileFindings, signal: AbortSignal): Promise<Uint8Array>;
}

export interface ImportDependencies {
	db: Db;
	now: () => string;
	log: Log;
	imports: Semaphore;
	importReader: ImportReader;
}

const changedSince = because('changed', '检查之后有其他修改，请重新检查');

/** The number of imports that run at once, each with a process that reads its file, and of those that wait. */
export const importLimits = { running: 2, waiting: 8 };

/** The seconds that an import may take, its wait included: up to ten imports, each with two readers of ten seconds. */
export const importSeconds = 200;

/** The import of employees or of stores. */
export interface Importer<Plan extends ImportPlan = ImportPlan> {
	action: HistoryAction;
	/** Compares the lines with the database. */
	plan(caller: Caller, table: ImportTable): Plan;
	/** Saves a plan without problems, inside the caller's transaction. @returns further members of the answer. */
	apply(caller: Caller, plan: Plan): object;
}

export interface ImportJob {
	dependencies: ImportDependencies;
	layout: Layout;
	importer: Importer;
	caller: Caller;
	upload: Upload;
	/** The mode is `add` by default. */
	query: ImportQuery;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

/** A plan, with its file. */
type PlannedFile = ImportPlan & { table: ImportTable };

/**
 * Receives a file, waits for its turn, reads it, and does some work with it.
 * @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when the file cannot be read; SERVICE_UNAVAILABLE when too many
 * imports wait.
 */
async function withFile<Done>(
	{ dependencies, layout, caller, upload, query, signal }: ImportJob,
	work: (table: ImportTable, file: ImportFile) => Done | Promise<Done>,
): Promise<Done> {
	const { log, imports, importReader } = dependencies;
	const { receive, ...type } = upload;
	log.info('import begins', aboutOf(caller));
	imports.requireRoom();
	using received = await receive();
	using _turn = await imports.enter();
	const { mode = 'add', skip, only } = query;
	const file = { ...type, bytes: received.bytes, mode, skip: readIds(skip), only: readIds(only) };
	const done = await work(await importReader.read(layout, file, signal), file);
	log.info('import done', aboutOf(caller));
	return done;
}

/** Plans an import with the caller's present rights. @throws AppError FORBIDDEN when the caller lost the permission. */
function planNow({ dependencies, importer, caller }: ImportJob, table: ImportTable) {
	const current = requireStillPermitted(dependencies, caller);
	const plan = { ...importer.plan(current, table), table };
	const { create, change, problems, namedElsewhere } = plan;
	const counts = { created: create.length, updated: change.length, problemTotal: problems.length, namedElsewhere };
	dependencies.log.info('import planned', { ...aboutOf(caller), lines: table.lines.length, ...counts });
	return { current, plan };
}

/**
 * Imports a file; with `dryRun` it only says what would happen.
 * @throws AppError BAD_REQUEST with every problem; PRECONDITION_FAILED when the caller expects another plan.
 */
export function importFile(job: ImportJob): Promise<PlannedFile> {
	const { dependencies, importer, query } = job;
	const { db } = dependencies;
	function work(table: ImportTable): PlannedFile {
		const { current, plan } = planNow(job, table);
		if (query.dryRun) return plan;
		if (plan.problems.length > 0) throw refusalOf(plan);
		if (current.expectedTags?.includes(tagOf(plan)) === false) throw modified([changedSince]);
		recordImport(db, current, importer.action, plan);
		return { ...plan, summary: { ...plan.summary, ...importer.apply(current, plan) } };
	}
	return withFile(job, (table) => (query.dryRun ? work(table) : largeTransaction(db, () => work(table))));
}

/** The plan as a workbook: the rows of the file with their problems or, without any, the list of all changes. */
export function markFile(job: ImportJob): Promise<Uint8Array> {
	const { dependencies, layout, signal } = job;
	return withFile(job, (table, file) => {
		const { problems, fieldChanges } = planNow(job, table).plan;
		return dependencies.importReader.mark(layout, file, { problems, fieldChanges }, signal);
	});
}

function aboutOf({ requestId, actor }: Caller) {
	return { id: requestId, account: callerLabel(actor) };
}

/** Records an import before its changes, as the head of their group. Additions alone, or a single change, need no head. */
function recordImport(db: Db, caller: Caller, action: HistoryAction, { create, change, summary }: ImportPlan): void {
	const { restored = 0 } = summary ?? {};
	if (restored === 0 && (change.length === 0 || create.length + change.length === 1)) return;
	const counts = { created: create.length - restored, updated: change.length, restored: restored || undefined };
	record(db, caller, { action, changes: factsOf(counts) });
}

/**
 * The `ETag` of a plan: the lines that add something, and each changed field before and after. Lines to skip and deleted
 * employees to restore are chosen after a dry run, so they make no other tag.
 */
export function tagOf({ create, fieldChanges }: ImportPlan): string {
	const planned = JSON.stringify([create.map(({ line }) => line), fieldChanges]);
	return `"${Bun.SHA256.hash(planned, 'base64url')}"`;
}

/** The answer to an import, in Chinese or in English. */
export function answerOf(plan: PlannedFile, isEnglish: boolean): ImportAnswer {
	const { table, create, change, unchanged, fieldChanges, summary } = plan;
	const { mode, lines, headingLine, unreadColumns } = table;
	const { restored = 0 } = summary ?? {};
	const problems = plan.problems.map(({ reason, ...problem }) => ({
		...problem,
		reason: textOf(reason, isEnglish),
		code: reason.reason,
	}));
	return {
		mode,
		lines: lines.length,
		created: create.length - restored,
		updated: change.length,
		unchanged,
		problems: problems.slice(0, maxAnswered.problems),
		problemTotal: problems.length,
		groups: groupsOf(problems).slice(0, maxAnswered.problems),
		changes: fieldChanges.slice(0, maxAnswered.changes),
		changeTotal: fieldChanges.length,
		headingLine,
		unreadColumns,
		...summary,
	};
}

/** Groups equal problems in the order of their first lines. */
function groupsOf(problems: ImportAnswer['problems']): ProblemGroup[] {
	const groups = new Map<string, ProblemGroup>();
	for (const { line, ...problem } of problems) {
		const key = JSON.stringify([problem.column, problem.value, problem.reason]);
		const group = groups.getOrInsert(key, { ...problem, count: 0, lines: [] });
		group.count += 1;
		const last = group.lines.at(-1);
		if (last && line <= last.last + 1) last.last = line;
		else group.lines.push({ first: line, last: line });
	}
	return Array.from(groups.values());
}

function refusalOf({ problems }: ImportPlan): AppError {
	const details = problems.slice(0, maxAnswered.problems).map(({ line, column, reason }) => ({
		path: column === null ? `lines.${line}` : `lines.${line}.${column}`,
		...reason,
	}));
	const { length: count } = problems;
	return new AppError('BAD_REQUEST', because('problems_found', `导入文件有 ${count} 处问题`, { count }), { details });
}
