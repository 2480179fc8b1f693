/** Which passwords are guessed first: those that many people choose, and what is known of their owner. */
import type { Db } from '../database/open.ts';
import { readingsIn } from '../database/pinyin.ts';
import type { Account } from '../session/accounts.ts';
import { passwordAdvice, weaknessOf } from '../vocabulary/password-rule.ts';
import usualText from './usual-passwords.txt' with { type: 'text' };

let usual: ReadonlySet<string> | undefined;

/** Why a password of an account is easy to guess, as a sentence for its owner; undefined when it is not. */
export function guessableAs(
	db: Db,
	password: string,
	{ username, name }: Pick<Account, 'username' | 'name'>,
	chainName = '',
): string | undefined {
	const readings = readingsIn(db, name + chainName);
	const pinyin = [name, chainName].map((each) => Array.from(each, (sign) => readings.get(sign) ?? sign).join(''));
	usual ??= new Set(usualText.split(/\s+/));
	const isUsual = usual.has(password.toLowerCase());
	return weaknessOf(password, [username, name, chainName, ...pinyin]) ?? (isUsual ? passwordAdvice.usual : undefined);
}
