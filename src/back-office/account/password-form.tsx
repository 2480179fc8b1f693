import { useState } from 'react';
import { isPassword } from '../../platform/vocabulary/password-rule.ts';
import { answer, api } from '../api/client.ts';
import { onDevice } from '../api/device.ts';
import { asRefusal } from '../api/refusal.ts';
import { beginSession } from '../api/session.ts';
import { PlainForm } from '../session/plain-form.tsx';
import { useAdvice } from './own.ts';

interface Props {
	username: string;
	/** The present password, where it is known. */
	known?: string | undefined;
	presentLabel?: string;
	onDone?(): void;
}

type Name = 'oldPassword' | 'newPassword' | 'repeated';

/** Sets a new password for the signed-in account, and ends all its other sign-ins. */
export function PasswordForm({ username, known, presentLabel = '原密码', onDone }: Props) {
	const advise = useAdvice();
	const [isWrong, setWrong] = useState(false);
	const isAsked = known === undefined || isWrong;

	async function change({ oldPassword = known ?? '', newPassword }: Partial<Record<Name, string>>) {
		try {
			const body = { oldPassword, newPassword: newPassword ?? '' };
			beginSession(await answer(onDevice(username, (options) => api.auth.me.password.patch(body, options))));
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
				...(isAsked
					? [{ name: 'oldPassword', label: presentLabel, kind: 'current-password', isFirst: true } as const]
					: []),
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
