import { type AnyElysia, Elysia, NotFoundError } from 'elysia';
import { contentSecurityPolicy, files, page, startScript } from './swagger-page.ts';

/** Swagger UI at `/swagger`, the OpenAPI document of `documented` at `/swagger/json`, and pages at `/swagger/docs/…`. */
export function openapiRoutes(documented: AnyElysia) {
	let document: Promise<string> | undefined;
	return new Elysia({ prefix: '/swagger', detail: { hide: true } })
		.get('', () => content(page, 'text/html; charset=utf-8'))
		.get('/json', async () => {
			// The generator is loaded when the document is first requested, to keep the start quick.
			document ??= import('./document.ts').then(async ({ createDocument }) =>
				JSON.stringify(await createDocument(documented)),
			);
			return content(await document, 'application/json; charset=utf-8');
		})
		.get('/start.js', () => content(startScript, 'text/javascript; charset=utf-8'))
		.get('/page.css', async () => {
			const { styles, pagePolicy } = await import('./pages.ts');
			return content(styles, 'text/css; charset=utf-8', pagePolicy);
		})
		.get('/docs/:page', async ({ params }) => {
			const { renderPage, pagePolicy } = await import('./pages.ts');
			const html = renderPage(params.page);
			if (html === undefined) throw new NotFoundError();
			return content(html, 'text/html; charset=utf-8', pagePolicy);
		})
		.get('/:file', ({ params }) => {
			const path = files.get(params.file);
			if (path === undefined) throw new NotFoundError();
			const file = Bun.file(path);
			return content(file, file.type);
		});
}

function content(body: string | Blob, type: string, policy = contentSecurityPolicy): Response {
	return new Response(body, { headers: { 'content-type': type, 'content-security-policy': policy } });
}
