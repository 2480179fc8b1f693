/** Where this page signs people in. */
import type { Credentials, SignIn } from '../../features/auth/model.ts';
import { readPhone } from '../../platform/vocabulary/phone.ts';
import { isOwnPage } from '../api/base.ts';
import { answer, api } from '../api/client.ts';
import { onDevice } from '../api/device.ts';
import { asRefusal } from '../api/refusal.ts';
import { beginSession } from '../api/session.ts';
import { createValue } from '../api/value.ts';

/** The title of this page's sign-in. */
export const doorTitle = isOwnPage ? '我的账号' : '门店管理后台';

/**
 * The password that somebody signed in with, so that they need not type it again to set their first own one. In memory only,
 * until the page knows that it is not needed.
 */
export const typedPassword = createValue<string | undefined>(undefined);

/**
 * Signs in. The back office serves accounts with a menu; its screens lead an employee without one to their own page. That
 * page serves everybody, and only employees have a phone as their name.
 * @throws Refusal
 */
export async function enter(credentials: Credentials): Promise<void> {
	const phone = readPhone(credentials.username);
	const username = phone ?? credentials.username.trim();
	const signIn = (door: typeof api.auth.employee | typeof api.auth.admin) =>
		answer(onDevice(username, (options) => door.login.post({ ...credentials, username }, options)));
	if (isOwnPage && phone !== undefined) return begin(await signIn(api.auth.employee));
	try {
		begin(await signIn(api.auth.admin));
	} catch (error) {
		if (!asRefusal(error).has('no_back_office')) throw error;
		begin(await signIn(api.auth.employee));
	}

	function begin(signedIn: SignIn): void {
		typedPassword.set(credentials.password);
		beginSession(signedIn);
	}
}
