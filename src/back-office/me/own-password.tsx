import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isPassword } from '../../platform/vocabulary/password-rule.ts';
import { changeOwnPassword, ownPassword, useAdvice } from '../account/own.ts';
import { asRefusal } from '../api/refusal.ts';
import { showTime } from '../api/time.ts';
import { PlainForm } from '../session/plain-form.tsx';
import { FormDialog, PlainButton } from './parts.tsx';

/** When the own password was changed, and changing it. */
export function OwnPassword({ username }: { username: string }) {
	const { data } = useQuery(ownPassword);
	const [isOpen, setOpen] = useState(false);
	const [isDone, setDone] = useState(false);
	return (
		<>
			<h3>密码</h3>
			{data?.isInitial && <p className="own-warning">您的密码不是自己设置的，其他人也可能知道它，请尽快修改。</p>}
			{data?.changedAt && <p>上次修改：{showTime(data.changedAt)}</p>}
			<p role="status">{isDone && '密码已修改，其他设备上的登录已失效。'}</p>
			<PlainButton onClick={() => setOpen(true)}>修改密码</PlainButton>
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
		</>
	);
}

interface Props {
	username: string;
	/** The present password, where it is known. */
	known?: string | undefined;
	/** The label of the present password. */
	presentLabel?: string;
	onDone?(): void;
}

type Name = 'oldPassword' | 'newPassword' | 'repeated';

/** Sets a new password for the own account. Everything else that is signed in ends. */
export function PasswordForm({ username, known, presentLabel = '原密码', onDone }: Props) {
	const advise = useAdvice();
	const [isWrong, setWrong] = useState(false);
	const isAsked = known === undefined || isWrong;

	async function change({ oldPassword = known ?? '', newPassword }: Partial<Record<Name, string>>) {
		try {
			await changeOwnPassword(username, { oldPassword, newPassword: newPassword ?? '' });
			onDone?.();
		} catch (error) {
			setWrong(asRefusal(error).about('oldPassword') !== undefined);
			throw error;
		}
	}

	return (
		<PlainForm<Name>
			username={username}
			fields={[
				...(isAsked ? [{ name: 'oldPassword', label: presentLabel, kind: 'current-password' } as const] : []),
				{ name: 'newPassword', label: '新密码（8 至 128 个字符）', kind: 'new-password', advise },
				{ name: 'repeated', label: '再次输入新密码', kind: 'new-password' },
			]}
			check={({ newPassword, repeated }) => ({
				...(!isPassword(newPassword) && { newPassword: '请输入 8 至 128 个字符' }),
				...(repeated !== newPassword && { repeated: '两次输入的新密码不一致' }),
			})}
			send={change}
			verb="保存新密码"
		/>
	);
}
