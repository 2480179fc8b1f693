import type { AuthUser } from '../../auth/model.ts';
import { leave } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { typedPassword } from '../session/door.ts';
import { PasswordForm } from './password-form.tsx';

interface Props {
	user: AuthUser;
}

/** Asks for the first password of one's own: nothing else works until then. */
export function NewPassword({ user: { displayName, username } }: Props) {
	const known = useValue(typedPassword);
	return (
		<main className="own own-first">
			<h1>设置自己的密码</h1>
			<p>{displayName}，您好。请先设置一个只有您自己知道的密码，以后用它登录。</p>
			<PasswordForm username={username} known={known} presentLabel="现在的密码（纸条上的密码）" />
			<p>
				<button type="button" className="text-button" onClick={leave}>
					退出登录
				</button>
			</p>
		</main>
	);
}
