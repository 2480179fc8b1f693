/** The sign-in of this page. */
import type { Credentials } from '../../features/auth/model.ts';
import { readPhone } from '../../platform/vocabulary/phone.ts';
import { answer, api } from '../api/client.ts';
import { onDevice } from '../api/device.ts';
import { beginSession } from '../api/session.ts';
import { createValue } from '../api/value.ts';

/** The password of the sign-in, only in memory, so that an employee who must replace it need not type it again. */
export const typedPassword = createValue<string | undefined>(undefined);

/**
 * Signs in. Only employees have a phone as their name. The back office leads an employee without a menu to the
 * own-account page.
 * @throws Refusal
 */
export async function enter(credentials: Credentials): Promise<void> {
	const door = readPhone(credentials.username) === undefined ? api.auth.admin : api.auth.employee;
	const signedIn = await answer(onDevice(credentials.username, (options) => door.login.post(credentials, options)));
	typedPassword.set(signedIn.user.mustSetPassword ? credentials.password : undefined);
	beginSession(signedIn);
}
