import { Elysia, NotFoundError } from 'elysia';
import { pagePolicy } from '../../platform/http/edge.ts';
import type { ExtendTimeout } from '../../platform/http/file-answer.ts';
import type { File } from './bundle.ts';
import { loadFiles } from './files.ts';
import { htmlOf, type Page, type Site } from './page.ts';

/** From source, the first request waits for the bundler. */
const bundlingSeconds = 120;

/** The own-account page at `/me/`, and the files of all pages. */
export function ownPageRoutes(site: () => Site, extendTimeout: ExtendTimeout) {
	return new Elysia({ name: 'own-page', detail: { hide: true } })
		.onTransform(({ request }) => extendTimeout(request, bundlingSeconds))
		.get('/back-office/assets/:file', async ({ params, request }) => {
			const { byName } = await loadFiles();
			const file = byName.get(params.file);
			if (!file) throw new NotFoundError();
			return contentOf(file, request.headers.get('accept-encoding') ?? '');
		})
		.get('/me', () => redirect('me/'))
		.get('/me/', () => page(site(), { title: '我的账号' }));
}

/** The sign-in page of OpenID Connect in this state. */
export function openidPage(site: Site, openid: object, status = 200): Promise<Response> {
	return page(site, { title: '登录', openid }, status);
}

/** The back office at `/back-office/`, to which a browser that asks for `/` is redirected. */
export function backOfficeRoutes(site: () => Site, extendTimeout: ExtendTimeout) {
	return new Elysia({ name: 'back-office', detail: { hide: true } })
		.onTransform(({ request }) => extendTimeout(request, bundlingSeconds))
		.get('/', ({ request }) => {
			if (!request.headers.get('accept')?.includes('text/html')) throw new NotFoundError();
			return redirect('back-office/');
		})
		.get('/back-office', () => redirect('back-office/'))
		.get('/back-office/*', ({ params }) =>
			page(site(), { base: '../'.repeat(params['*'].split('/').length - 1) || './' }),
		);
}

async function page(site: Site, shown: Page, status = 200): Promise<Response> {
	const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy('self') };
	return new Response(htmlOf(await loadFiles(), site, shown), { status, headers });
}

/** Relative, so that it also works behind a proxy that adds a prefix. */
function redirect(location: string): Response {
	return new Response(null, { status: 302, headers: { location } });
}

async function contentOf(file: File, accepted: string): Promise<Response> {
	const encoding = (['br', 'gzip'] as const).find((each) => accepted.includes(each));
	const headers = {
		'content-type': file.type,
		// The name changes with the content.
		'cache-control': 'public, max-age=31536000, immutable',
		vary: 'accept-encoding',
	};
	if (!encoding) return new Response(Bun.gunzipSync(await file.gzip.arrayBuffer()), { headers });
	return new Response(file[encoding], { headers: { ...headers, 'content-encoding': encoding } });
}
