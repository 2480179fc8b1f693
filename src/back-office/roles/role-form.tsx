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

const labels = { name: '角色名称', code: '代号', description: '说明' };

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
		create: ({ code, ...values }) => createRole({ ...values, code: code?.trim() || newCode() }),
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
				extra="供其他系统识别的英文名称，例如 shift_leader"
				rules={role ? [{ required: true, whitespace: true, message: '请输入代号' }] : []}
			>
				<Input autoCapitalize="none" spellCheck={false} placeholder={role ? '' : '选填，不填则自动生成'} />
			</Form.Item>
			<Form.Item name="description" label={labels.description}>
				<Input.TextArea rows={3} placeholder="选填" />
			</Form.Item>
		</FormDrawer>
	);
}

/** A code that nobody had to think of. */
function newCode(): string {
	return `role_${Date.now().toString(36)}`;
}
