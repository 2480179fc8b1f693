/** The failures of a database, explained to an operator. */
import type { DataFolder } from '../machine/data-folder.ts';
import { explainFileError } from '../machine/file-access.ts';
import { AppError, codeOf, OperationError } from '../vocabulary/errors.ts';
import { textOf } from '../vocabulary/reasons.ts';

/** Whether an error says that a database is damaged. */
export function isDamage(error: unknown): boolean {
	return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/**
 * Explains a failure of work on a data folder: in one line if it is a refusal or an operator can correct it, else with
 * everything that is known. An error of a file that names no file is about the database.
 */
export function explainFailure({ database }: Pick<DataFolder, 'database'>, error: unknown): string {
	if (error instanceof OperationError) return error.message;
	// A refused write has a message for end users, and SQLite's error as its cause.
	const cause = error instanceof AppError ? error.cause : error;
	if (error instanceof AppError && cause === undefined) return textOf(error.reason, true);
	if (!/^(SQLITE_|E[A-Z]+$)/.test(codeOf(cause))) return Bun.inspect(error);
	const path = cause instanceof Error && 'path' in cause ? String(cause.path) : database;
	return explainFileError(path, cause);
}
