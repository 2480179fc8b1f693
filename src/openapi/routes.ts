import { type AnyElysia, Elysia, NotFoundError } from 'elysia';
import { contentSecurityPolicy, files, page, startScript } from './swagger-page.ts';

/** Swagger UI at `/swagger` and the OpenAPI document of `documented` at `/swagger/json`. */
export function openapiRoutes(documented: AnyElysia) {
	let document: Promise<string> | undefined;
	return new Elysia({ prefix: '/swagger', detail: { hide: true } })
		.get('', () => content(page, 'text/html; charset=utf-8'))
		.get('/json', async () => {
			// The generator is loaded when the document is first requested, to keep the start quick.
			document ??= import('./document.ts').then(({ createDocument }) => JSON.stringify(createDocument(documented)));
			return content(await document, 'application/json; charset=utf-8');
		})
		.get('/start.js', () => content(startScript, 'text/javascript; charset=utf-8'))
		.get('/:file', ({ params }) => {
			const file = files.get(params.file);
			if (!file) throw new NotFoundError();
			return content(Bun.file(file.path), file.type);
		});
}

function content(body: string | Blob, type: string): Response {
	return new Response(body, { headers: { 'content-type': type, 'content-security-policy': contentSecurityPolicy } });
}
