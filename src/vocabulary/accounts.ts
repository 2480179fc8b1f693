/** The two kinds of account. */
export const accountTypes = ['SUPER_ADMIN', 'EMPLOYEE'] as const;
/** One of {@link accountTypes}. */
export type AccountType = (typeof accountTypes)[number];
