/** Where accounts signed in from before the start, so that an attack does not keep their owners out after it. */
import type { Db } from '../database/open.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** So many of either type are read in a few milliseconds. */
const newest = 2000;

interface SignedIn extends Attempt {
	at: string;
}

/** Tells the throttle of the newest sign-ins in the history; of an employee, as the name that he has now. */
export function recallKnownPlaces(db: Db, throttle: Throttle, now: Date): void {
	for (const { at, ...attempt } of [...signInsOf(db, 'SUPER_ADMIN'), ...signInsOf(db, 'EMPLOYEE')].reverse()) {
		throttle.succeeded(attempt, Math.max(0, now.getTime() - Date.parse(at)));
	}
}

function signInsOf({ $client }: Db, accountType: 'SUPER_ADMIN' | 'EMPLOYEE'): SignedIn[] {
	const [table, name] = accountType === 'SUPER_ADMIN' ? ['administrators', 'username'] : ['employees', 'phone'];
	return $client
		.query<SignedIn, [string, number]>(
			`select history.at, history.address, account.${name} as name
			from history join ${table} as account on account.id = history.actor_id
			where history.actor_type = ? and history.action = 'SIGN_IN' and history.address is not null
			order by history.id desc limit ?`,
		)
		.all(accountType, newest);
}
