/** Limits that the service enforces and the screens know. */

/** The lifetime of a token in seconds: two hours. */
export const tokenLifetime = 2 * 60 * 60;

/** The largest file that can be imported, in MiB. */
export const maxImportMebibytes = 8;
