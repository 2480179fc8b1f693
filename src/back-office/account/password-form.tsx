import { useQueryClient } from '@tanstack/react-query';
import type { AuthUser } from '../../features/auth/model.ts';
import { findPattern, isPassword, passwordAdvice } from '../../platform/vocabulary/password-rule.ts';
import { chainName } from '../api/chain.ts';
import { answer, api } from '../api/client.ts';
import { onDevice } from '../api/device.ts';
import { asRefusal } from '../api/refusal.ts';
import { beginSession } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { PlainForm } from '../session/plain-form.tsx';
import { typedPassword } from '../session/portal.ts';
import { ownUser } from './own.ts';

interface Props {
	user: AuthUser;
	onDone?(): void;
}

type Name = 'oldPassword' | 'newPassword' | 'repeated';

/** Sets a new password for the signed-in account, and ends all its other sign-ins. */
export function PasswordForm({ user, onDone }: Props) {
	const client = useQueryClient();
	const typed = useValue(typedPassword);
	const known = user.mustSetPassword ? typed : undefined;

	async function change({ oldPassword = known ?? '', newPassword = '' }: Partial<Record<Name, string>>) {
		try {
			const body = { oldPassword, newPassword };
			beginSession(await answer(onDevice(user.username, (options) => api.auth.me.password.patch(body, options))));
		} catch (error) {
			if (asRefusal(error).about('oldPassword')) typedPassword.set(undefined);
			throw error;
		}
		// The page for a first password goes only when the account is read again. Until then it stays as it is.
		if (user.mustSetPassword) await client.refetchQueries(ownUser, { cancelRefetch: false });
		typedPassword.set(undefined);
		onDone?.();
	}

	const label = user.mustSetPassword ? '现在的密码（纸条上的密码）' : '原密码';

	return (
		<PlainForm<Name>
			username={user.username}
			fields={[
				...(known === undefined
					? [{ name: 'oldPassword', label, kind: 'current-password', isFirst: true } as const]
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
