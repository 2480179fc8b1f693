/** The routes that take the file of an import, the same ones for every kind of sheet. */
import type { TObject } from '@sinclair/typebox';
import { type DocumentDecoration, Elysia } from 'elysia';
import { fileBody } from '../http/body.ts';
import { csvType, fileHeaders, SpreadsheetFile, xlsxType } from '../http/file-answer.ts';
import { protectedFailures, Success, success } from '../http/reply.ts';
import { permit, type RouteDependencies } from '../session/session.ts';
import { maxImportMebibytes } from '../vocabulary/limits.ts';
import type { PermissionCode } from '../vocabulary/permissions.ts';
import { type Import, type ImportDependencies, importSeconds } from './importing.ts';
import { type ImportQuery, MarkQuery } from './model.ts';

/** What the routes need that take or answer the file of a sheet. */
export interface SheetDependencies extends RouteDependencies, ImportDependencies {}

/** What the imports of one kind are. */
interface ImportedKind {
	permission: PermissionCode;
	query: typeof ImportQuery;
	result: TObject;
	/** How a file is imported. */
	load(query: ImportQuery): Promise<Import>;
	/** What the document says of the file, of importing it, and of marking it. */
	file: string;
	importing: DocumentDecoration;
	marking: DocumentDecoration;
}

/** The content types of an import. Windows says the last one of every file that Excel opens, CSV included. */
const importTypes = [csvType, xlsxType, 'application/vnd.ms-excel'];

/** `POST /import` and `POST /import/problems`, to be used below the path of a kind. */
export function importRoutes(dependencies: SheetDependencies, kind: ImportedKind) {
	const { session, extendTimeout, answerInParts } = dependencies;
	const body = fileBody(importTypes, maxImportMebibytes * 1_048_576, kind.file);
	return new Elysia()
		.use(session)
		.post(
			'/import',
			async ({ caller, body, query, request, status }) => {
				extendTimeout(request, importSeconds);
				// Loaded when it is first needed, to keep the start quick.
				const [{ importSheet }, sheet] = await Promise.all([import('./importing.ts'), kind.load(query)]);
				const dryRun = query.dryRun === 'true';
				const asked = { upload: body, mode: query.mode, dryRun, signal: request.signal };
				const result = await importSheet(dependencies, sheet, caller, asked);
				return dryRun ? status(200, success(result)) : status(201, success(result));
			},
			{
				transform: permit(kind.permission),
				query: kind.query,
				...body,
				response: {
					200: Success(kind.result),
					201: Success(kind.result),
					...protectedFailures(413, 503),
				},
				detail: kind.importing,
			},
		)
		.post(
			'/import/problems',
			async ({ caller, body, query, request }) => {
				extendTimeout(request, importSeconds);
				const [{ markSheet }, sheet] = await Promise.all([import('./importing.ts'), kind.load(query)]);
				const asked = { upload: body, mode: query.mode, signal: request.signal };
				const marked = await markSheet(dependencies, sheet, caller, asked);
				return answerInParts({ actor: caller.actor, request }, marked, fileHeaders(sheet.layout.kind, 'xlsx'));
			},
			{
				transform: permit(kind.permission),
				query: MarkQuery,
				...body,
				response: { 200: SpreadsheetFile, ...protectedFailures(413, 503) },
				detail: {
					...kind.marking,
					description:
						'All rows as texts, with a first column that says what is wrong with each. With another mode than add and ' +
						'without problems, every change before and after instead. Nothing is kept.',
				},
			},
		);
}
