/** The closed word lists of the history. */

/** Who can do it: an account, a caller who is not signed in, the operator of the machine, or the program by itself. */
export const historyActorTypes = ['SUPER_ADMIN', 'EMPLOYEE', 'ANONYMOUS', 'OPERATOR', 'SYSTEM'] as const;
export type HistoryActorType = (typeof historyActorTypes)[number];

/** What it can be done to. */
export const historyTargetTypes = ['STORE', 'ROLE', 'EMPLOYEE', 'ADMINISTRATOR'] as const;
export type HistoryTargetType = (typeof historyTargetTypes)[number];

/** What has a page of its own in the back office. */
export const mentionedTypes = ['STORE', 'ROLE', 'EMPLOYEE'] as const;
export type MentionedType = (typeof mentionedTypes)[number];

/** The fields of changes that hold ids, and what the ids are of. */
export const typeOfField: Readonly<Record<string, MentionedType>> = {
	storeId: 'STORE',
	roleId: 'ROLE',
	roleIds: 'ROLE',
};

/** What can happen, and what it is done to; null for signing in and out, one's own password, and what concerns many. */
export const targetTypeOf = {
	SIGN_IN: null,
	SIGN_IN_REFUSED: null,
	SIGN_OUT: null,
	OWN_PASSWORD_CHANGE: null,
	SECOND_FACTOR_START: null,
	SECOND_FACTOR_ENABLE: null,
	SECOND_FACTOR_DISABLE: null,
	STORE_CREATE: 'STORE',
	STORE_UPDATE: 'STORE',
	STORE_DELETE: 'STORE',
	ROLE_CREATE: 'ROLE',
	ROLE_UPDATE: 'ROLE',
	ROLE_DELETE: 'ROLE',
	ROLE_PERMISSIONS_REPLACE: 'ROLE',
	EMPLOYEE_CREATE: 'EMPLOYEE',
	EMPLOYEE_UPDATE: 'EMPLOYEE',
	EMPLOYEE_UPDATE_UNDO: 'EMPLOYEE',
	EMPLOYEE_DELETE: 'EMPLOYEE',
	EMPLOYEE_RESTORE: 'EMPLOYEE',
	EMPLOYEE_ROLE_GIVE: 'EMPLOYEE',
	EMPLOYEE_PASSWORD_CHANGE: 'EMPLOYEE',
	EMPLOYEE_PASSWORD_RESET: 'EMPLOYEE',
	EMPLOYEE_ONE_TIME_PASSWORD: 'EMPLOYEE',
	EMPLOYEE_SECOND_FACTOR_REMOVE: 'EMPLOYEE',
	EMPLOYEE_EXPORT: null,
	EMPLOYEE_IMPORT: null,
	STORE_IMPORT: null,
	ADMINISTRATOR_CREATE: 'ADMINISTRATOR',
	ADMINISTRATOR_UPDATE: 'ADMINISTRATOR',
	ADMINISTRATOR_PASSWORD_RESET: 'ADMINISTRATOR',
	ADMINISTRATOR_SECOND_FACTOR_REMOVE: 'ADMINISTRATOR',
} as const satisfies Record<string, HistoryTargetType | null>;

export type HistoryAction = keyof typeof targetTypeOf;
export const historyActions = Object.keys(targetTypeOf) as [HistoryAction, ...HistoryAction[]];

/** Why a sign-in was refused; `VARIOUS` for those beyond the number of groups that are kept apart. */
export const refusalReasons = [
	'UNKNOWN_ACCOUNT',
	'WRONG_PASSWORD',
	'ACCOUNT_DISABLED',
	'STORE_DISABLED',
	'NO_BACK_OFFICE',
	'PASSWORD_EXPIRED',
	'CODE_MISSING',
	'WRONG_CODE',
	'TOO_MANY_ATTEMPTS',
	'VARIOUS',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
