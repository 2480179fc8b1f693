import { useState } from 'react';
import type { AuthUser } from '../../features/auth/model.ts';
import { findPattern, isPassword, passwordAdvice } from '../../platform/vocabulary/password-rule.ts';
import { chainName } from '../api/chain.ts';
import { answer, api } from '../api/client.ts';
import { onDevice } from '../api/device.ts';
import { asRefusal } from '../api/refusal.ts';
import { beginSession } from '../api/session.ts';
import { PlainForm } from '../session/plain-form.tsx';

interface Props {
	user: AuthUser;
	/** The present password, where it is known. */
	known?: string | undefined;
	presentLabel?: string;
	onDone?(): void;
}

type Name = 'oldPassword' | 'newPassword' | 'repeated';

/** Sets a new password for the signed-in account, and ends all its other sign-ins. */
export function PasswordForm({ user, known, presentLabel = '原密码', onDone }: Props) {
	const [isWrong, setWrong] = useState(false);
	const isAsked = known === undefined || isWrong;

	async function change({ oldPassword = known ?? '', newPassword }: Partial<Record<Name, string>>) {
		try {
			const body = { oldPassword, newPassword: newPassword ?? '' };
			beginSession(await answer(onDevice(user.username, (options) => api.auth.me.password.patch(body, options))));
			onDone?.();
		} catch (error) {
			setWrong(asRefusal(error).about('oldPassword') !== undefined);
			throw error;
		}
	}

	return (
		<PlainForm<Name>
			username={user.username}
			fields={[
				...(isAsked
					? [{ name: 'oldPassword', label: presentLabel, kind: 'current-password', isFirst: true } as const]
					: []),
				{
					name: 'newPassword',
					label: '新密码（8 至 128 个字符）',
					kind: 'new-password',
					advise: (password) => adviceOn(password, user),
				},
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

/**
 * Judges a new password while it is typed. The service decides: it knows more weak passwords, and refuses them where own
 * passwords are required.
 */
function adviceOn(password: string, { username, displayName }: AuthUser): string | undefined {
	const known = [username, displayName, chainName.get() ?? ''];
	const weakness = isPassword(password) ? findPattern(password, known) : undefined;
	return weakness && passwordAdvice[weakness];
}
