import { readPhone } from './phone.ts';
import { followsRule } from './text-rule.ts';

/** The two kinds of account. */
export const accountTypes = ['SUPER_ADMIN', 'EMPLOYEE'] as const;
export type AccountType = (typeof accountTypes)[number];

/** Which account. */
export interface AccountKey {
	accountType: AccountType;
	id: number;
}

/** Which account or program calls. */
export interface CallerKey {
	accountType: AccountType | 'PROGRAM';
	id: number;
}

/** The name of who calls in the log, and where they are counted: `EMPLOYEE:7`, `program:3`. */
export function accountOf({ accountType, id }: CallerKey): string {
	return `${accountType === 'PROGRAM' ? 'program' : accountType}:${id}`;
}

/** What {@link parseUsername} takes, for the operator. */
export const usernameRule = '1 to 50 characters, without spaces around, that are not a mobile number';

/**
 * The username of an administrator that a text gives, as it is stored and as sign-in looks it up; undefined for a text
 * that sign-in could not find: blanks around it, or a phone in any form, which would lock that employee out.
 */
export function parseUsername(text: string): string | undefined {
	const isName = followsRule(text, { maximum: 50, mustBeVisible: true });
	const isUsable = isName && text === text.trim() && readPhone(text) === undefined;
	return isUsable ? text.normalize('NFC') : undefined;
}
