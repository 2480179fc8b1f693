import { Form, Input } from 'antd';
import type { CreateRole, Role } from '../../roles/model.ts';
import type { Versioned } from '../api/client.ts';
import { useEditing } from '../forms/editing.tsx';
import type { Opened } from '../forms/form-button.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { changeRole, createRole, roleById } from './role-queries.ts';

interface Props extends Opened {
	/** The role to edit; a new one without it. */
	role?: Versioned<Role>;
	onDone?(role: Role): void;
}

const labels = { name: '角色名称', code: '编码', description: '说明' };

/** Creates or edits a custom role. */
export function RoleForm({ role, open, onClose, onDone }: Props) {
	const [form] = Form.useForm<CreateRole>();
	const editing = useEditing<Role, CreateRole>({
		form,
		open,
		onClose,
		onDone,
		thing: role,
		draft: {},
		valuesOf: ({ name, code, description }) => ({ name, code, description }),
		create: createRole,
		read: (client, { id }) => client.fetchQuery({ ...roleById(`${id}`), staleTime: 0 }),
		change: changeRole,
		labels,
		said: { created: '角色已新增，请在权限管理中为其分配权限', saved: '角色已保存' },
	});
	return (
		<FormDrawer title={role ? '编辑角色' : '新增角色'} form={form} {...editing} open={open} onClose={onClose}>
			<Form.Item
				name="name"
				label={labels.name}
				rules={[{ required: true, whitespace: true, message: '请输入角色名称' }]}
			>
				<Input />
			</Form.Item>
			<Form.Item
				name="code"
				label={labels.code}
				extra="小写字母开头，只含小写字母、数字和下划线，例如 shift_leader"
				rules={[{ required: true, whitespace: true, message: '请输入编码' }]}
			>
				<Input autoCapitalize="none" spellCheck={false} />
			</Form.Item>
			<Form.Item name="description" label={labels.description}>
				<Input.TextArea rows={3} placeholder="选填" />
			</Form.Item>
		</FormDrawer>
	);
}
