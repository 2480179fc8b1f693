/** Where the page is, without a slash at the end; a proxy may have added a prefix. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Where the service is: the pages lie in `back-office/` and `me/` below it. */
export const serviceUrl = new URL('..', document.baseURI);

/** The back office. */
export const backOfficeUrl = new URL('back-office/', serviceUrl).href;

/** The page of one's own, for every account. */
export const ownPageUrl = new URL('me/', serviceUrl).href;

const publicUrl = document.querySelector<HTMLMetaElement>('meta[name="public-url"]')?.content;

/** The page of one's own as it is given to other people: below `PUBLIC_URL`, if that is set. */
export const givenOwnPage = new URL('me/', publicUrl || serviceUrl);

/** Whether only this machine can open it. */
export const isOnlyHere = /^(localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(givenOwnPage.hostname);

const asking = '#second-factor=';

/** The page of one's own, for those who have to turn their second factor on before they see the present page of the back office. */
export function secondFactorUrl(): string {
	return ownPageUrl + asking + location.href.slice(backOfficeUrl.length);
}

/** Where those who came by {@link secondFactorUrl} wanted to be: a page of the back office, whatever the address says. */
export function wantedPage(): string | undefined {
	return location.hash.startsWith(asking) ? backOfficeUrl + location.hash.slice(asking.length) : undefined;
}

/** Whether this is the page of one's own, and not the back office. */
export const isOwnPage = document.baseURI === ownPageUrl;
