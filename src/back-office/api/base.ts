/** The address of the page, without a slash at the end. A proxy may have added a prefix. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** The address of the service. The pages are in `back-office/` and `me/` below it. */
export const serviceUrl = new URL('..', document.baseURI);

/** The back office. */
export const backOfficeUrl = new URL('back-office/', serviceUrl).href;

/** The own-account page, which every account has. */
export const ownPageUrl = new URL('me/', serviceUrl).href;

/** A setting of the service in the head of the page; undefined if it is not set. */
export function settingOf(name: string): string | undefined {
	return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined;
}

/** The address of the own-account page for other people: below `PUBLIC_URL`, if that is set. */
export const givenOwnPage = new URL('me/', settingOf('public-url') ?? serviceUrl);

/** Whether only this machine can open it. */
export const isOnlyHere = /^(localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(givenOwnPage.hostname);

const asking = '#second-factor=';

/** The own-account page, for accounts that must turn on their second factor before they see the present page. */
export function secondFactorUrl(): string {
	return ownPageUrl + asking + location.href.slice(backOfficeUrl.length);
}

/** The page to return to after {@link secondFactorUrl}. It is always a page of the back office, whatever the address says. */
export function wantedPage(): string | undefined {
	return location.hash.startsWith(asking) ? backOfficeUrl + location.hash.slice(asking.length) : undefined;
}

/** Whether this is the own-account page, and not the back office. */
export const isOwnPage = document.baseURI === ownPageUrl;
