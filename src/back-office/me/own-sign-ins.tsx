import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { endSession } from '../api/session.ts';
import { showTime } from '../api/time.ts';
import { createValue } from '../api/value.ts';
import { Part } from './parts.tsx';
import { SignOutButton } from './sign-out-everywhere.tsx';

const ownSignIns = queryOptions({
	queryKey: ['own', 'sign-ins'],
	queryFn: () => answer(api.auth.me['sign-ins'].get()),
});

/** Whether somebody else was signed in: a new password is asked for after the next sign-in. */
export const wantsNewPassword = createValue(false);

/** The last sign-ins of the own account, and what to do about one that was somebody else. */
export function OwnSignIns() {
	const { data } = useQuery(ownSignIns);
	if (!data) return null;
	return (
		<Part title="最近的登录">
			<ul className="own-sign-ins">
				{data.items.map(({ at, address, client }) => (
					<li key={`${at} ${address}`}>
						<time dateTime={at}>{showTime(at)}</time>
						<span>{client ?? '未知设备'}</span>
						<span>{address}</span>
					</li>
				))}
			</ul>
			<p>有不认识的登录？可能有人知道了您的密码。</p>
			<SignOutButton title="有人用您的账号登录？" onDone={askForPassword} label="这不是我">
				所有设备上的登录将立即失效，包括这里。请随后用原密码登录一次，并马上设置新密码。
			</SignOutButton>
		</Part>
	);
}

function askForPassword(): void {
	wantsNewPassword.set(true);
	endSession('已在所有设备上退出。请重新登录，然后设置新密码。');
}
