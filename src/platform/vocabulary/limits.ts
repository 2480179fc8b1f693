/** Limits that the service enforces and the screens know. */

const tokenHours = 2;

/** The lifetime of a token, in seconds and as the API and its document say it. */
export const tokenLifetime = {
	seconds: tokenHours * 60 * 60,
	code: `${tokenHours}h`,
	words: `${tokenHours} hours`,
} as const;

/** The largest file that can be imported, in MiB. */
export const maxImportMebibytes = 8;

/** How many lines such a file may have, besides its headings and what stands above them. */
export const maxImportLines = 5000;

/** How many permission points of its own a chain can have. */
export const maxPoints = 200;

/** How many people can be changed at once. */
export const maxPeopleAtOnce = 1000;
