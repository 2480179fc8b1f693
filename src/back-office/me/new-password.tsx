import { useEffect } from 'react';
import type { AuthUser } from '../../features/auth/model.ts';
import { useOwnQueries } from '../account/own.ts';
import { outage } from '../api/connection.ts';
import { asRefusal } from '../api/refusal.ts';
import { signOut } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { typedPassword } from '../session/door.ts';
import { useSessionEnd } from '../session/session-end.ts';
import { PasswordForm } from './own-password.tsx';
import { wantsNewPassword } from './own-sign-ins.tsx';

/** The signed-in account, and whether it must set a password of its own first, or wants to. */
export function useAskedPassword() {
	const { user, permissions } = useOwnQueries();
	const asked = permissions.error ? asRefusal(permissions.error).asksFor : undefined;
	const isFirst = asked === 'password';
	const isAsked = useValue(wantsNewPassword) || isFirst;
	useEffect(() => {
		if (permissions.isSuccess && !isAsked) typedPassword.set(undefined);
	}, [permissions.isSuccess, isAsked]);
	return { user, permissions, asked, isAsked, isFirst };
}

interface Props {
	user: AuthUser;
	/** Whether it is the first password of their own. */
	isFirst: boolean;
}

/** Asks for a new password: nothing else is there until then. */
export function NewPassword({ user: { displayName, username }, isFirst }: Props) {
	const known = useValue(typedPassword);
	return (
		<main className="own own-first">
			<h1>{isFirst ? '设置自己的密码' : '设置新密码'}</h1>
			<p>
				{displayName}，您好。请{isFirst && '先'}设置一个只有您自己知道的密码，以后用它登录。
			</p>
			<PasswordForm
				username={username}
				known={known}
				presentLabel={isFirst ? '现在的密码（纸条上的密码）' : '原密码'}
				onDone={() => wantsNewPassword.set(false)}
			/>
			<p>
				<button type="button" className="text-button" onClick={signOut}>
					退出登录
				</button>
			</p>
		</main>
	);
}

/** Says that the service does not answer, or that the session is about to end. */
export function OwnNotices() {
	const problem = useValue(outage);
	const notice = useSessionEnd();
	return (
		<div role="status" className="own-outage">
			{problem ?? notice}
		</div>
	);
}
