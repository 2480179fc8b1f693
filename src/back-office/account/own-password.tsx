import { useQuery } from '@tanstack/react-query';
import { Alert, App } from 'antd';
import { FormButton } from '../forms/opening.tsx';
import { PlainDialog } from '../forms/plain-dialog.tsx';
import { ownPassword, useOwn } from './own.ts';
import { PasswordForm } from './password-form.tsx';

/** Changes the account's own password. */
export function OwnPasswordDialog() {
	const { user } = useOwn();
	const { message } = App.useApp();
	function say(then: () => void) {
		void message.success('密码已修改，其他设备上的登录已失效');
		then();
	}
	return (
		<PlainDialog title="修改密码">{(close) => <PasswordForm user={user} onDone={() => say(close)} />}</PlainDialog>
	);
}

/** Asks for a new password while the account still has its first one. */
export function InitialPasswordNotice() {
	const { data } = useQuery(ownPassword);
	if (!data?.isInitial) return null;
	return (
		<Alert
			banner
			type="warning"
			title="您的密码不是自己设置的，请尽快修改。"
			action={
				<FormButton size="small" form={<OwnPasswordDialog />}>
					修改密码
				</FormButton>
			}
		/>
	);
}
