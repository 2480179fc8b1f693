/** Where the page is, without a slash at the end; a proxy may have added a prefix. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Where the service is: the page lies in `back-office/` below it. */
export const serviceUrl = new URL('..', document.baseURI);
