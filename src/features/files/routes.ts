/** The routes of imports, the same for employees and stores. */
import type { TObject } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Actor } from '../../identity/session/actor.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import { fileBody } from '../../platform/http/body.ts';
import { csvType, fileHeaders, SpreadsheetFile, xlsxType } from '../../platform/http/file-answer.ts';
import { asksForEnglish, doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { maxImportMebibytes } from '../../platform/vocabulary/limits.ts';
import type { ProgramCode } from '../../platform/vocabulary/permissions.ts';
import {
	type ImportDependencies,
	type Importer,
	type ImportJob,
	importFile,
	importSeconds,
	markFile,
	previewImport,
} from './import.ts';
import type { Layout } from './layout.ts';
import { type ImportQuery, MarkQuery } from './model.ts';

export interface FileDependencies extends RouteDependencies, ImportDependencies {}

interface ImportedKind {
	layout: Layout;
	permission: ProgramCode;
	query: typeof ImportQuery;
	result: TObject;
	/** Loads the importer when it is first needed, to keep the start quick. */
	load(query: ImportQuery): Promise<Importer>;
	/** Runs after the check of the permission. @throws AppError FORBIDDEN */
	refuse?: (context: { actor: Actor; query: Readonly<Record<string, unknown>> }) => void;
	/** The texts of the OpenAPI document about the file, the import, the template and the marked file. */
	file: string;
	importing: ReturnType<typeof doc>;
	template: [operationId: string, summary: string];
	marking: [operationId: string, summary: string];
}

/** The content types of an import. Windows sends the last one for every file that Excel opens, CSV included. */
const importTypes = [csvType, xlsxType, 'application/vnd.ms-excel'];

/** `GET /import/template`, `POST /import` and `POST /import/problems`, below the path of employees or stores. */
export function importRoutes(dependencies: FileDependencies, kind: ImportedKind) {
	const { session, extendTimeout } = dependencies;
	const { layout } = kind;
	async function jobOf(request: Request, asked: Pick<ImportJob, 'caller' | 'upload' | 'query' | 'isEnglish'>) {
		extendTimeout(request, importSeconds);
		return { dependencies, layout, importer: await kind.load(asked.query), signal: request.signal, ...asked };
	}
	const permitImport = permit(kind.permission);
	const shared = {
		transform: permitImport,
		...fileBody(importTypes, maxImportMebibytes * 1_048_576, kind.file),
	};
	const refusals = protectedFailures(413, 503);
	return new Elysia()
		.use(session)
		.get(
			'/import/template',
			async () => {
				const { importTemplate } = await import('./import-template.ts');
				const parts = await Array.fromAsync(importTemplate(layout));
				return new Response(Buffer.concat(parts), { headers: fileHeaders(layout.resource, 'xlsx') });
			},
			{
				transform: permitImport,
				response: { 200: SpreadsheetFile, ...protectedFailures(503) },
				...doc(...kind.template),
			},
		)
		.post(
			'/import',
			async ({ caller, body, query, request, set, status }) => {
				const asked = { caller, upload: body, query, isEnglish: asksForEnglish(request, set) };
				const job = await jobOf(request, asked);
				if (query.dryRun === true) return status(200, success(await previewImport(job)));
				return status(201, success(await importFile(job)));
			},
			{
				...shared,
				transform: [permitImport, ...(kind.refuse ? [kind.refuse] : [])],
				query: kind.query,
				response: { 200: Success(kind.result), 201: Success(kind.result), ...refusals },
				...kind.importing,
			},
		)
		.post(
			'/import/problems',
			async ({ caller, body, query, request }) => {
				const marked = await markFile(await jobOf(request, { caller, upload: body, query }));
				return new Response(Buffer.from(marked), { headers: fileHeaders(layout.resource, 'xlsx') });
			},
			{
				...shared,
				query: MarkQuery,
				response: { 200: SpreadsheetFile, ...refusals },
				...doc(
					...kind.marking,
					'All rows as texts, with their problems in a first column. With another mode than add and without problems, ' +
						'every change before and after instead. Nothing is saved.',
				),
			},
		);
}
