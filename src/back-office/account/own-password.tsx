import { useQuery } from '@tanstack/react-query';
import { Alert, Form, Input } from 'antd';
import type { ChangePassword } from '../../features/auth/model.ts';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { FormButton } from '../forms/opening.tsx';
import { useSubmit } from '../forms/submit.ts';
import { changeOwnPassword, ownPassword, useAdvice, useOwn } from './own.ts';

interface Values extends ChangePassword {
	repeated: string;
}

/** The change of the own password. */
export function OwnPasswordDrawer() {
	const { user } = useOwn();
	const advise = useAdvice();
	const submission = useSubmit<Values, void>(
		({ oldPassword, newPassword }) => changeOwnPassword(user.username, { oldPassword, newPassword }),
		() => '密码已修改，其他设备上的登录已失效',
	);
	return (
		<FormDrawer title="修改密码" submission={submission}>
			<Form.Item name="oldPassword" label="原密码" rules={required('请输入原密码')}>
				<Input.Password autoComplete="current-password" />
			</Form.Item>
			<Form.Item
				name="newPassword"
				label="新密码"
				extra="8 至 128 个字符"
				rules={[
					...required('请输入新密码'),
					{
						warningOnly: true,
						validator: async (_, value: string) => {
							const said = advise(value);
							if (said) throw new Error(said);
						},
					},
				]}
			>
				<Input.Password autoComplete="new-password" />
			</Form.Item>
			<Form.Item
				name="repeated"
				label="再次输入新密码"
				dependencies={['newPassword']}
				rules={[
					...required('请再次输入新密码'),
					({ getFieldValue }) => ({
						validator: async (_, value) => {
							if (value && value !== getFieldValue('newPassword')) throw new Error('两次输入的新密码不一致');
						},
					}),
				]}
			>
				<Input.Password autoComplete="new-password" />
			</Form.Item>
		</FormDrawer>
	);
}

/** Asks for a new password while it is the one that the account began with. */
export function InitialPasswordNotice() {
	const { data } = useQuery(ownPassword);
	if (!data?.isInitial) return null;
	return (
		<Alert
			banner
			type="warning"
			title="您的密码不是自己设置的，请尽快修改。"
			action={
				<FormButton size="small" form={<OwnPasswordDrawer />}>
					修改密码
				</FormButton>
			}
		/>
	);
}
