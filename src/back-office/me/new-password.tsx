import type { AuthUser } from '../../features/auth/model.ts';
import { PasswordForm } from '../account/password-form.tsx';
import { signOut } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { typedPassword } from '../session/portal.ts';

/** Asks for the account's first password of its own. Until then the page has nothing else. */
export function NewPassword({ user }: { user: AuthUser }) {
	const known = useValue(typedPassword);
	return (
		<main className="own own-first">
			<h1>设置自己的密码</h1>
			<p>{user.displayName}，您好。请先设置一个只有您自己知道的密码，以后用它登录。</p>
			<PasswordForm
				user={user}
				known={known}
				presentLabel="现在的密码（纸条上的密码）"
				onDone={() => typedPassword.set(undefined)}
			/>
			<p>
				<button type="button" className="text-button" onClick={signOut}>
					退出登录
				</button>
			</p>
		</main>
	);
}
