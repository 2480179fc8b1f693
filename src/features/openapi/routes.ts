import { type AnyElysia, Elysia, NotFoundError } from 'elysia';
import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' };
import sheet from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { pagePolicy, takesGzip } from '../../platform/http/edge.ts';
import styles from './page.css' with { type: 'file' };
import script from './start.js' with { type: 'file' };
import { page } from './swagger-page.ts';

/** Swagger UI at `/swagger`, the OpenAPI document of `documented` at `/swagger/json`, and pages at `/swagger/docs/…`. */
export function openapiRoutes(documented: AnyElysia) {
	let document: Promise<{ plain: Blob; compressed: Blob }> | undefined;
	return new Elysia({ prefix: '/swagger', detail: { hide: true } })
		.get('', () => content(page, 'text/html; charset=utf-8'))
		.get('/json', async ({ request: { headers } }) => {
			document ??= makeDocument(documented);
			const { plain, compressed } = await document;
			const isCompressed = takesGzip(headers.get('accept-encoding') ?? '');
			const answer = content(isCompressed ? compressed : plain, 'application/json; charset=utf-8');
			if (isCompressed) answer.headers.set('content-encoding', 'gzip');
			return answer;
		})
		.get('/docs/:page', async ({ params }) => {
			const { renderPage, textPolicy } = await import('./pages.ts');
			const html = renderPage(params.page);
			if (html === undefined) throw new NotFoundError();
			return content(html, 'text/html; charset=utf-8', textPolicy);
		})
		.get('/swagger-ui-bundle.js', () => asset(bundle))
		.get('/swagger-ui.css', () => asset(sheet))
		.get('/icon.png', () => asset(icon))
		.get('/start.js', () => asset(script))
		.get('/page.css', () => asset(styles));
}

/** The document as blobs, because all answers share the memory of a blob. */
async function makeDocument(documented: AnyElysia) {
	// The generator is loaded when the document is first requested, to keep the start quick.
	const { createDocument } = await import('./document.ts');
	const text = JSON.stringify(await createDocument(documented));
	return { plain: new Blob([text]), compressed: new Blob([Bun.gzipSync(text)]) };
}

function asset(path: string): Response {
	const file = Bun.file(path);
	return content(file, file.type);
}

function content(body: string | Blob, type: string, policy = pagePolicy('none')): Response {
	return new Response(body, { headers: { 'content-type': type, 'content-security-policy': policy } });
}
