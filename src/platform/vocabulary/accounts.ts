import { readPhone } from './phone.ts';
import { followsRule } from './text-rule.ts';

/** The two kinds of account. */
export const accountTypes = ['SUPER_ADMIN', 'EMPLOYEE'] as const;
export type AccountType = (typeof accountTypes)[number];

/** The key of a calling account or program. */
export interface CallerKey {
	accountType: AccountType | 'PROGRAM';
	id: number;
}

/** The key of an account. */
export interface AccountKey extends CallerKey {
	accountType: AccountType;
}

/** The caller in the log and in counters: `EMPLOYEE:7`, `program:3`. */
export function callerLabel({ accountType, id }: CallerKey): string {
	return `${accountType === 'PROGRAM' ? 'program' : accountType}:${id}`;
}

/** The rule of {@link parseUsername}, for the operator. */
export const usernameRule = '1 to 50 characters that are not a mobile number, without spaces at either end';

/**
 * Parses the username of an administrator, as it is stored and as sign-in looks it up. Undefined for blanks around the
 * name, which sign-in could not find, and for a phone in any form, which would lock out the employee with that phone.
 */
export function parseUsername(text: string): string | undefined {
	const isName = followsRule(text, { maximum: 50, mustBeVisible: true });
	const isUsable = isName && text === text.trim() && readPhone(text) === undefined;
	return isUsable ? text.normalize('NFC') : undefined;
}
