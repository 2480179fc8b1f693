/** Limits that the service enforces and the screens know. */

const tokenHours = 2;

/** The lifetime of a token: in seconds, for the API and for its document. */
export const tokenLifetime = {
	seconds: tokenHours * 60 * 60,
	code: `${tokenHours}h`,
	words: `${tokenHours} hours`,
} as const;

/** The longest name of a chain that fits above the menu, which is 208 pixels wide. */
export const maxChainName = 20;

/** The largest file that can be imported, in MiB. */
export const maxImportMebibytes = 8;

/** How many lines such a file may have below its headings. */
export const maxImportLines = 5000;

/** How many of them a query can leave out. */
export const maxNamedLines = 500;

/** How many permission points a chain can add. */
export const maxPoints = 200;

/** How many employees one request can change. */
export const maxPeopleAtOnce = 1000;
