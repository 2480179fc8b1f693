/** The closed word lists of the history. */

/** What a record of the history says happened. */
export const historyActions = [
	'SIGN_IN',
	'SIGN_IN_REFUSED',
	'SIGN_OUT',
	'OWN_PASSWORD_CHANGE',
	'STORE_CREATE',
	'STORE_UPDATE',
	'STORE_DELETE',
	'ROLE_CREATE',
	'ROLE_UPDATE',
	'ROLE_DELETE',
	'ROLE_PERMISSIONS_REPLACE',
	'EMPLOYEE_CREATE',
	'EMPLOYEE_UPDATE',
	'EMPLOYEE_DELETE',
	'EMPLOYEE_PASSWORD_CHANGE',
	'EMPLOYEE_PASSWORD_RESET',
	'ADMINISTRATOR_CREATE',
	'ADMINISTRATOR_PASSWORD_RESET',
] as const;
/** One of {@link historyActions}. */
export type HistoryAction = (typeof historyActions)[number];

/** Who can have done it: an account, a caller who is not signed in, or the operator of the machine. */
export const historyActorTypes = ['SUPER_ADMIN', 'EMPLOYEE', 'ANONYMOUS', 'OPERATOR'] as const;
/** One of {@link historyActorTypes}. */
export type HistoryActorType = (typeof historyActorTypes)[number];

/** What it can have been done to. */
export const historyTargetTypes = ['STORE', 'ROLE', 'EMPLOYEE', 'ADMINISTRATOR'] as const;
/** One of {@link historyTargetTypes}. */
export type HistoryTargetType = (typeof historyTargetTypes)[number];

/** Why a sign-in was refused; `VARIOUS` when there were too many to tell apart. */
export const refusalReasons = [
	'UNKNOWN_ACCOUNT',
	'WRONG_PASSWORD',
	'ACCOUNT_DISABLED',
	'STORE_DISABLED',
	'NO_BACK_OFFICE',
	'TOO_MANY_ATTEMPTS',
	'VARIOUS',
] as const;
/** One of {@link refusalReasons}. */
export type RefusalReason = (typeof refusalReasons)[number];
