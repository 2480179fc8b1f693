import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuthUser } from '../../features/auth/model.ts';
import { ownPassword } from '../account/own.ts';
import { PasswordForm } from '../account/password-form.tsx';
import { showTime } from '../api/time.ts';
import { DialogButton } from './parts.tsx';

/** The time of the last change of the account's password, and a button to change it. */
export function OwnPassword({ user }: { user: AuthUser }) {
	const { data } = useQuery(ownPassword);
	const [changes, setChanges] = useState(0);
	return (
		<>
			<h3>密码</h3>
			{data?.isInitial && <p className="own-warning">您的密码不是自己设置的，其他人也可能知道它，请尽快修改。</p>}
			{data?.changedAt && <p>上次修改：{showTime(data.changedAt)}</p>}
			<p role="status">{changes > 0 && '密码已修改，其他设备上的登录已失效。'}</p>
			{/* Its dialog is closed after a change. */}
			<DialogButton key={changes} verb="修改密码" isFocused={changes > 0}>
				<PasswordForm user={user} onDone={() => setChanges(changes + 1)} />
			</DialogButton>
		</>
	);
}
