import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AuthUser } from '../../features/auth/model.ts';
import { ownUser } from '../account/own.ts';
import { PasswordForm } from '../account/password-form.tsx';
import { signOut } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { typedPassword } from '../session/portal.ts';

/** The signed-in account. The typed password is kept while the account must replace it. */
export function useFirstStep() {
	const { data: user, error } = useQuery(ownUser);
	useEffect(() => {
		if (user && !user.mustSetPassword) typedPassword.set(undefined);
	}, [user]);
	return { user, error };
}

/** Asks for the account's first password of its own. Until then the page has nothing else. */
export function NewPassword({ user: { displayName, username } }: { user: AuthUser }) {
	const known = useValue(typedPassword);
	return (
		<main className="own own-first">
			<h1>设置自己的密码</h1>
			<p>{displayName}，您好。请先设置一个只有您自己知道的密码，以后用它登录。</p>
			<PasswordForm username={username} known={known} presentLabel="现在的密码（纸条上的密码）" />
			<p>
				<button type="button" className="text-button" onClick={signOut}>
					退出登录
				</button>
			</p>
		</main>
	);
}
