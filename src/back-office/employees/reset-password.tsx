import { Form, Select } from 'antd';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { useOwn } from '../account/own.ts';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { issuePasswords } from './employee-queries.ts';
import { usePersonSearch } from './person-search.ts';
import { useShowSlips } from './slips.tsx';

/** Resets the password of a person who is searched for. */
export function ResetPasswordForm() {
	const { user } = useOwn();
	const showSlips = useShowSlips();
	const { people, props } = usePersonSearch();
	const submission = useSubmit(
		({ id }: { id: number }) => issuePasswords([id]),
		() => '密码已重置',
		({ items }) => showSlips(items),
	);
	return (
		<FormDrawer title="重置密码" submitText="重置密码" submission={submission} isSmall>
			<Form.Item
				name="id"
				label="员工"
				rules={required('请选择员工')}
				extra="将生成一个一次性密码，7 天内有效。原密码和该员工在所有设备上的登录立即失效。"
			>
				<Select
					{...props}
					placeholder="搜索姓名或手机号"
					options={people
						.filter(({ phone }) => phone !== user.username)
						.map(({ id, name, phone }) => ({ value: id, label: `${name} · ${showPhone(phone)}` }))}
				/>
			</Form.Item>
		</FormDrawer>
	);
}
