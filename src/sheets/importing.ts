/** Importing a file, whatever it holds: all of it or nothing. */
import type { Db } from '../database/open.ts';
import { largeTransaction } from '../database/query.ts';
import { record } from '../history/record.ts';
import type { Upload } from '../http/body.ts';
import { inTurns, type Steps, toTheEnd } from '../http/steps.ts';
import type { Log } from '../machine/log.ts';
import type { Caller } from '../session/actor.ts';
import { accountOf } from '../vocabulary/accounts.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { HistoryAction } from '../vocabulary/history.ts';
import { changesFile, markedFile } from './answer-file.ts';
import type { Comparison } from './checking.ts';
import type { ImportMode, Layout } from './layout.ts';
import { type ImportAnswer, maxAnswered, type Problem, type ProblemGroup } from './model.ts';
import type { ImportFile, ImportTable } from './read-file.ts';
import type { InTurn } from './turns.ts';

/**
 * Reads a file outside of this process.
 * @throws AppError BAD_REQUEST or PAYLOAD_TOO_LARGE when it cannot be read.
 */
export type ReadImport = (layout: Layout, file: ImportFile, signal: AbortSignal) => Promise<ImportTable>;

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
export interface Checked extends Comparison<unknown, unknown> {
	/** How many more problems there are, which nobody is shown. */
	hidden?: number;
	/** What the log says of a dry run. */
	logged?: object;
	/** What the answer has besides. */
	more?: object;
	/** Stores all of it, inside of a transaction, when there are no problems. */
	keep(): void;
}

/** How the files of one kind are read and checked. */
export interface Import {
	layout: Layout;
	/** What the history calls it. */
	action: HistoryAction;
	/** Compares the lines with the database. @throws AppError FORBIDDEN when the caller lost the permission. */
	check(caller: Caller, table: ImportTable, mode: ImportMode): Steps<Checked>;
}

/**
 * Imports a file; with `dryRun` it only says what would happen.
 * @throws AppError BAD_REQUEST with every problem of the lines unless it is a dry run, or when the file cannot be read;
 * PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when other imports wait; FORBIDDEN when the caller lost the permission.
 */
export function importSheet(
	{ db, now, log, inTurn, readImport }: ImportDependencies,
	{ layout, check, action }: Import,
	caller: Caller,
	{ upload, mode: asked, dryRun, signal }: ImportRequest,
): Promise<ImportAnswer> {
	const { contentType, charset } = upload;
	const mode = asked ?? 'add';
	const account = accountOf(caller.actor);
	const about = { id: caller.requestId, account, dryRun };
	log.info('import begins', about);
	return inTurn(account, upload.receive, async ({ bytes }) => {
		const table = await readImport(layout, { contentType, charset, bytes, mode }, signal);
		function keep() {
			const current = { ...caller, at: now() };
			const checked = toTheEnd(check(current, table, mode));
			const answer = answerOf(table, checked);
			if (answer.problemTotal > 0) throw refusalOf(answer);
			recordImport(db, current, action, checked);
			checked.keep();
			return checked;
		}
		const checked = dryRun ? await inTurns(check(caller, table, mode)) : largeTransaction(db, keep);
		const answer = answerOf(table, checked);
		// Who asks without a mode knows the number of a dry run from before there were modes.
		if (dryRun && asked === undefined) answer.created = 0;
		const { lines, created, updated, problemTotal } = answer;
		log.info('import ended', { ...about, lines, created, updated, problemTotal, ...(dryRun && checked.logged) });
		return answer;
	});
}

/**
 * What an import would find, as a workbook in parts: its rows with their problems or, when there are none and something
 * can change, the list of all changes. Nothing is kept.
 * @throws AppError as {@link importSheet} does for a dry run.
 */
export function markSheet(
	{ log, inTurn, readImport }: Omit<ImportDependencies, 'db' | 'now'>,
	{ layout, check }: Import,
	caller: Caller,
	{ upload, mode = 'add', signal }: Omit<ImportRequest, 'dryRun'>,
): Promise<Iterator<Uint8Array>> {
	const { contentType, charset } = upload;
	const account = accountOf(caller.actor);
	log.info('import begins', { id: caller.requestId, account, dryRun: true });
	return inTurn(account, upload.receive, async ({ bytes }) => {
		const table = await readImport(layout, { contentType, charset, bytes, mode, keepsRows: true }, signal);
		const { problems, hidden = 0, changes, logged } = await inTurns(check(caller, table, mode));
		const problemTotal = problems.length + hidden;
		const listsChanges = mode !== 'add' && problemTotal === 0;
		const parts = listsChanges ? changesFile(layout, changes) : markedFile(layout, table, problems);
		// All of them now: a client that takes them slowly must not keep the turn.
		const marked = await Array.fromAsync(parts);
		log.info('import marked', { id: caller.requestId, account, problemTotal, ...logged });
		return marked.values();
	});
}

/** The first record of a request stands for all of it. New ones stand for themselves, and so does a single change. */
function recordImport(db: Db, caller: Caller, action: HistoryAction, { added, edits }: Checked): void {
	if (edits.length === 0 || added.length + edits.length === 1) return;
	const counts = { created: added.length, updated: edits.length };
	const changes = Object.entries(counts).map(([field, after]) => ({ field, before: null, after }));
	record(db, caller, { action, changes });
}

function answerOf(table: ImportTable, checked: Checked): ImportAnswer {
	const { added, edits, unchanged, changes, problems, hidden = 0, more } = checked;
	return {
		lines: table.lines.length,
		created: added.length,
		updated: edits.length,
		unchanged,
		problems: problems.slice(0, maxAnswered.problems),
		problemTotal: problems.length + hidden,
		groups: groupsOf(problems).slice(0, maxAnswered.problems),
		changes: changes.slice(0, maxAnswered.changes),
		changeTotal: changes.length,
		headingLine: table.headingLine,
		unreadColumns: table.unreadColumns,
		...more,
	};
}

/** Equal problems together, in the order of their first lines. */
function groupsOf(problems: readonly Problem[]): ProblemGroup[] {
	const groups = new Map<string, ProblemGroup>();
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

function refusalOf({ problems, problemTotal }: ImportAnswer): AppError {
	const details = problems.map(({ line, column, reason }) => ({
		path: column === null ? `lines.${line}` : `lines.${line}.${column}`,
		message: reason,
	}));
	return new AppError('BAD_REQUEST', `导入文件有 ${problemTotal} 处问题`, { details });
}
