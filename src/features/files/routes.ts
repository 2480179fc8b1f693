/** The routes of imports, the same for employees and stores. */
import type { TObject } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Actor } from '../../identity/session/actor.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import { fileBody } from '../../platform/http/body.ts';
import { csvType, fileHeaders, SpreadsheetFile, xlsxType } from '../../platform/http/file-answer.ts';
import {
	asksForEnglish,
	conditional,
	doc,
	failures,
	protectedFailures,
	Success,
	success,
	Tagged,
} from '../../platform/http/reply.ts';
import { maxImportMebibytes } from '../../platform/vocabulary/limits.ts';
import type { ProgramCode } from '../../platform/vocabulary/permissions.ts';
import {
	answerOf,
	type ImportDependencies,
	type Importer,
	type ImportJob,
	importFile,
	importSeconds,
	markFile,
	tagOf,
} from './import.ts';
import type { Layout } from './layout.ts';
import type { ImportQuery } from './model.ts';

export interface FileDependencies extends RouteDependencies, ImportDependencies {}

interface ImportedKind {
	layout: Layout;
	permission: ProgramCode;
	query: typeof ImportQuery;
	result: TObject;
	/** Loads the importer when it is first needed, to keep the start quick. @throws AppError FORBIDDEN */
	load(query: ImportQuery, actor: Actor): Promise<Importer>;
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
	type Asked = Pick<ImportJob, 'caller' | 'query'> & { body: ImportJob['upload']; request: Request };
	async function jobOf({ caller, query, body: upload, request }: Asked): Promise<ImportJob> {
		extendTimeout(request, importSeconds);
		const importer = await kind.load(query, caller.actor);
		return { dependencies, layout, importer, caller, upload, query, signal: request.signal };
	}
	const permitImport = permit(kind.permission);
	const shared = {
		transform: permitImport,
		query: kind.query,
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
				const plan = await importFile(await jobOf({ caller, body, query, request }));
				if (query.dryRun) set.headers.etag = tagOf(plan);
				return status(query.dryRun ? 200 : 201, success(answerOf(plan, asksForEnglish(request, set))));
			},
			{
				...shared,
				...conditional,
				response: { 200: Tagged(kind.result), 201: Success(kind.result), ...refusals, ...failures(412) },
				...kind.importing,
			},
		)
		.post(
			'/import/problems',
			async ({ caller, body, query, request }) => {
				const marked = await markFile(await jobOf({ caller, body, query, request }));
				return new Response(Buffer.from(marked), { headers: fileHeaders(layout.resource, 'xlsx') });
			},
			{
				...shared,
				response: { 200: SpreadsheetFile, ...refusals },
				...doc(
					...kind.marking,
					'All rows as texts, with their problems in a first column. With another mode than add and without problems, ' +
						'every change before and after instead. The parameters are those of the import, but nothing is saved.',
				),
			},
		);
}
