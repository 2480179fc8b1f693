import { Form, Input } from 'antd';
import type { CreateRole, Role } from '../../roles/model.ts';
import type { Opened } from '../forms/form-button.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { saveRole } from './role-queries.ts';

interface Props extends Opened {
	/** The role to edit; a new one without it. */
	role?: Role;
	onDone?(role: Role): void;
}

/** Creates or edits a custom role. */
export function RoleForm({ role, open, onClose, onDone }: Props) {
	const [form] = Form.useForm<CreateRole>();
	const submission = useSubmit<CreateRole, Role>(
		form,
		(values) => saveRole(role?.id, values),
		() => (role ? '角色已保存' : '角色已新增，请在权限管理中为其分配权限'),
		(saved) => {
			onClose();
			onDone?.(saved);
		},
	);
	return (
		<FormDrawer
			title={role ? '编辑角色' : '新增角色'}
			form={form}
			submission={submission}
			initialValues={role ? { name: role.name, code: role.code, description: role.description } : {}}
			open={open}
			onClose={onClose}
		>
			<Form.Item name="name" label="角色名称" rules={[{ required: true, whitespace: true, message: '请输入角色名称' }]}>
				<Input />
			</Form.Item>
			<Form.Item
				name="code"
				label="编码"
				extra="小写字母开头，只含小写字母、数字和下划线，例如 shift_leader"
				rules={[{ required: true, whitespace: true, message: '请输入编码' }]}
			>
				<Input autoCapitalize="none" spellCheck={false} />
			</Form.Item>
			<Form.Item name="description" label="说明">
				<Input.TextArea rows={3} />
			</Form.Item>
		</FormDrawer>
	);
}
