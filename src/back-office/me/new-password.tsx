import type { AuthUser } from '../../features/auth/model.ts';
import { PasswordForm } from '../account/password-form.tsx';
import { signOut } from '../api/session.ts';

/** Asks for the account's first password of its own. Until then the page has nothing else. */
export function NewPassword({ user }: { user: AuthUser }) {
	return (
		<main className="own own-first">
			<h1>设置自己的密码</h1>
			<p>{user.displayName}，您好。请先设置一个只有您自己知道的密码，以后用它登录。</p>
			<PasswordForm user={user} />
			<p>
				<button type="button" className="text-button" onClick={signOut}>
					退出登录
				</button>
			</p>
		</main>
	);
}
