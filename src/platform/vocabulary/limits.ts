/** Limits that the service enforces and the screens know. */

const tokenHours = 2;

/** The lifetime of a token: in seconds, and in the words of the API and of its document. */
export const tokenLifetime = {
	seconds: tokenHours * 60 * 60,
	code: `${tokenHours}h`,
	words: `${tokenHours} hours`,
} as const;

/** The longest name of a chain that fits above the menu, which is 208 pixels wide. */
export const maxChainName = 20;

/** The largest file that can be imported, in MiB. */
export const maxImportMebibytes = 8;

/** The maximum number of lines of such a file below its headings. */
export const maxImportLines = 5000;

/** The maximum number of them that a query can leave out. */
export const maxNamedLines = 500;

/** The maximum number of permission points that a chain can add. */
export const maxPoints = 200;

/** The maximum number of employees that one request can change. */
export const maxPeopleAtOnce = 1000;

/** An account without a sign-in for this number of days needs attention. */
export const idleDays = 90;

/** The number of days ahead for which the overview shows last days. */
export const daysAhead = 14;
