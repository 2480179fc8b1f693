import { Form, Input } from 'antd';
import type { ChangePassword } from '../../auth/model.ts';
import { answer, api } from '../api/client.ts';
import { onDevice } from '../api/device.ts';
import { beginSession } from '../api/session.ts';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { useAdvice, useOwn } from './own.ts';

interface Values extends ChangePassword {
	repeated: string;
}

/** The change of the own password. */
export function OwnPasswordDrawer() {
	const { user } = useOwn();
	const advise = useAdvice();
	const submission = useSubmit<Values, void>(
		async ({ oldPassword, newPassword }) => {
			const change = { oldPassword, newPassword };
			const call = onDevice(user.username, (options) => api.auth.me.password.patch(change, options));
			beginSession(await answer(call));
		},
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
