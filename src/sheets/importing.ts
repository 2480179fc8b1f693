/** Importing a file, whatever it holds: all of it or nothing. */
import type { Db } from '../database/open.ts';
import { largeTransaction } from '../database/query.ts';
import { record } from '../history/record.ts';
import type { Upload } from '../http/body.ts';
import type { Log } from '../machine/log.ts';
import { accountOf, type Caller } from '../session/actor.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { HistoryAction } from '../vocabulary/history.ts';
import { changesFile, markedFile } from './answer-file.ts';
import { inTurns, type Steps, toTheEnd } from './checking.ts';
import type { ColumnOf, ImportMode, Layout } from './layout.ts';
import { type Change, type ImportAnswer, maxAnswered, type Problem, type ProblemGroup } from './model.ts';
import { byPlace, type ImportFile, type ImportTable } from './read-file.ts';
import type { InTurn } from './turns.ts';

/**
 * Reads a file outside of this process.
 * @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when it cannot be read.
 */
export type ReadImport = <Values extends object>(
	layout: Layout<Values>,
	file: ImportFile,
	signal: AbortSignal,
) => Promise<ImportTable<Values>>;

/** What imports need. */
export interface ImportDependencies {
	db: Db;
	now: () => string;
	log: Log;
	inTurn: InTurn;
	readImport: ReadImport;
}

/** How long an import may take, with those that it waits for: nine that each take their reader's ten seconds. */
export const importSeconds = 150;

/** An import in one request. */
export interface ImportRequest {
	upload: Upload;
	/** `add` without one. */
	mode: ImportMode | undefined;
	/** Whether to only say what would happen. */
	dryRun: boolean;
	/** Aborted when the caller is gone. */
	signal: AbortSignal;
}

/** What the database says to the lines of a file. */
export interface Checked<Column extends string, More extends object> {
	added: readonly unknown[];
	edits: readonly unknown[];
	unchanged: number;
	changes: Change<Column>[];
	problems: Problem<Column>[];
	/** How many more there are, which nobody is shown. */
	hidden?: number;
	/** What the log says of a dry run. */
	logged?: object;
	/** What the answer has besides. */
	more: More;
	/** Stores all of it, inside of a transaction, when there are no problems. */
	keep(at: string): void;
}

/** How the files of one kind are read and checked. */
export interface Import<Values extends object, More extends object> {
	layout: Layout<Values>;
	/** What the history calls it. */
	action: HistoryAction;
	/** Compares the lines with the database. @throws AppError FORBIDDEN when the caller lost the permission. */
	check(caller: Caller, table: ImportTable<Values>, mode: ImportMode): Steps<Checked<ColumnOf<Values>, More>>;
}

/**
 * Imports a file; with `dryRun` it only says what would happen.
 * @throws AppError BAD_REQUEST with every problem of the lines unless it is a dry run, or when the file cannot be read;
 * PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when other imports wait; FORBIDDEN when the caller lost the permission.
 */
export async function importSheet<Values extends object, More extends object>(
	{ db, now, log, inTurn, readImport }: ImportDependencies,
	{ layout, check, action }: Import<Values, More>,
	caller: Caller,
	{ upload, mode: asked, dryRun, signal }: ImportRequest,
): Promise<ImportAnswer<ColumnOf<Values>> & More> {
	const { contentType, charset } = upload;
	const mode = asked ?? 'add';
	const account = accountOf(caller.actor);
	const about = { id: caller.requestId, account, dryRun };
	log.info('import begins', about);
	return inTurn(account, upload.receive, async ({ bytes }) => {
		const table = await readImport(layout, { contentType, charset, bytes, mode }, signal);
		function keep() {
			const checked = toTheEnd(check(caller, table, mode));
			const found = problemsOf(layout, table, checked);
			if (found.problemTotal > 0) throw refusalOf(found);
			const at = now();
			recordImport(db, caller, action, checked, at);
			checked.keep(at);
			return checked;
		}
		const checked = dryRun ? await inTurns(check(caller, table, mode)) : largeTransaction(db, keep);
		// Who asks without a mode knows the number of a dry run from before there were modes.
		const before = dryRun && asked === undefined ? { created: 0 } : {};
		const result = { ...answerOf(layout, table, checked), ...before };
		const { lines, created, updated, problemTotal } = result;
		log.info('import ended', { ...about, lines, created, updated, problemTotal, ...(dryRun && checked.logged) });
		return result;
	});
}

/**
 * What an import would find, as a workbook in parts: its rows with their problems or, when there are none and something
 * can change, the list of all changes. Nothing is kept.
 * @throws AppError as {@link importSheet} does for a dry run.
 */
export async function markSheet<Values extends object, More extends object>(
	{ log, inTurn, readImport }: Omit<ImportDependencies, 'db' | 'now'>,
	{ layout, check }: Import<Values, More>,
	caller: Caller,
	{ upload, mode = 'add', signal }: Omit<ImportRequest, 'dryRun'>,
): Promise<AsyncGenerator<Uint8Array>> {
	const { contentType, charset } = upload;
	const account = accountOf(caller.actor);
	log.info('import begins', { id: caller.requestId, account, dryRun: true });
	return inTurn(account, upload.receive, async ({ bytes }) => {
		const table = await readImport(layout, { contentType, charset, bytes, mode, keepsRows: true }, signal);
		const checked = await inTurns(check(caller, table, mode));
		const { problems, problemTotal } = problemsOf(layout, table, checked);
		const listsChanges = mode !== 'add' && problemTotal === 0;
		const parts = listsChanges ? changesFile(layout, checked.changes) : markedFile(layout, table, problems);
		// All of them now: a client that takes them slowly must not keep the turn.
		const marked = await Array.fromAsync(parts);
		log.info('import marked', { id: caller.requestId, account, problemTotal, ...checked.logged });
		return (async function* () {
			yield* marked;
		})();
	});
}

/** The first record of a request stands for all of it. New ones stand for themselves, and so does a single change. */
function recordImport(
	db: Db,
	caller: Caller,
	action: HistoryAction,
	{ added, edits }: Pick<Checked<string, object>, 'added' | 'edits'>,
	at: string,
): void {
	if (edits.length === 0 || added.length + edits.length === 1) return;
	const counts = { created: added.length, updated: edits.length };
	const changes = Object.entries(counts).map(([field, after]) => ({ field, before: null, after }));
	record(db, caller, { action, changes }, at);
}

interface Found<Column extends string> {
	problems: Problem<Column>[];
	problemTotal: number;
}

function problemsOf<Values extends object>(
	layout: Layout<Values>,
	table: ImportTable<Values>,
	{ problems: found, hidden = 0 }: Pick<Checked<ColumnOf<Values>, object>, 'problems' | 'hidden'>,
): Found<ColumnOf<Values>> {
	const problems = [...table.problems, ...found].sort(byPlace(layout));
	return { problems, problemTotal: problems.length + hidden };
}

function answerOf<Values extends object, More extends object>(
	layout: Layout<Values>,
	table: ImportTable<Values>,
	checked: Checked<ColumnOf<Values>, More>,
): ImportAnswer<ColumnOf<Values>> & More {
	const { problems, problemTotal } = problemsOf(layout, table, checked);
	const { added, edits, unchanged, changes, more } = checked;
	return {
		lines: table.lines.length,
		created: added.length,
		updated: edits.length,
		unchanged,
		problems: problems.slice(0, maxAnswered.problems),
		problemTotal,
		groups: groupsOf(problems).slice(0, maxAnswered.problems),
		changes: changes.slice(0, maxAnswered.changes),
		changeTotal: changes.length,
		headingLine: table.headingLine,
		unreadColumns: table.unreadColumns,
		...more,
	};
}

/** Equal problems together, in the order of their first lines. */
function groupsOf<Column extends string>(problems: readonly Problem<Column>[]): ProblemGroup<Column>[] {
	const groups = new Map<string, ProblemGroup<Column>>();
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

function refusalOf({ problems, problemTotal }: Found<string>): AppError {
	const details = problems.slice(0, maxAnswered.problems).map(({ line, column, reason }) => ({
		path: column === null ? `lines.${line}` : `lines.${line}.${column}`,
		message: reason,
	}));
	return new AppError('BAD_REQUEST', `导入文件有 ${problemTotal} 处问题`, { details });
}
