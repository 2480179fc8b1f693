import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownPassword } from '../account/own.ts';
import { showTime } from '../api/time.ts';
import { FormDialog, Part } from './parts.tsx';
import { PasswordForm } from './password-form.tsx';

/** When the own password was changed, and changing it. */
export function OwnPassword({ username }: { username: string }) {
	const { data } = useQuery(ownPassword);
	const [isOpen, setOpen] = useState(false);
	const [isDone, setDone] = useState(false);
	return (
		<Part title="密码">
			{data?.isInitial && <p className="own-warning">您的密码不是自己设置的，其他人也可能知道它，请尽快修改。</p>}
			{data?.changedAt && <p>上次修改：{showTime(data.changedAt)}</p>}
			<p role="status">{isDone && '密码已修改，其他设备上的登录已失效。'}</p>
			<button type="button" className="plain-button" onClick={() => setOpen(true)}>
				修改密码
			</button>
			{isOpen && (
				<FormDialog title="修改密码" onClose={() => setOpen(false)}>
					<PasswordForm
						username={username}
						onDone={() => {
							setOpen(false);
							setDone(true);
						}}
					/>
				</FormDialog>
			)}
		</Part>
	);
}
