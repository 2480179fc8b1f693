import { Form } from 'antd';
import type { ReactNode } from 'react';
import type { EmployeesChange } from '../../features/employees/model.ts';
import { required } from '../forms/form-drawer.tsx';
import { AssignableSelect } from './assignable-select.tsx';

/** An action on employees. `who` are the affected employees, `chosen` the names in its field. */
export interface Action {
	verb: string;
	isDangerous?: boolean;
	/** The form item `chosen`, for an action that needs a choice. */
	field?: ReactNode;
	/** The change with the chosen ids. The history does not count new passwords as a change. */
	changeOf(chosen: [number, ...number[]]): EmployeesChange | 'passwords';
	effect(who: string, chosen: string): string;
	/** The state of the employees who are not changed. */
	already?: string;
}

const store = (
	<Form.Item name="chosen" label="门店" rules={required('请选择门店')}>
		<AssignableSelect of="stores" labelInValue />
	</Form.Item>
);

const roles = (
	<Form.Item name="chosen" label="角色" rules={required('请选择角色')}>
		<AssignableSelect of="roles" mode="multiple" labelInValue />
	</Form.Item>
);

/** The actions on the selected employees. */
export const actions = {
	move: {
		verb: '调店',
		field: store,
		changeOf: ([storeId]) => ({ storeId }),
		effect: (who, name) => `${who}将调到“${name}”`,
		already: '已在这家门店',
	},
	enable: {
		verb: '启用',
		changeOf: () => ({ status: 'ACTIVE' }),
		effect: (who) => `${who}的账号将重新启用`,
		already: '已启用',
	},
	disable: {
		verb: '禁用',
		isDangerous: true,
		changeOf: () => ({ status: 'INACTIVE' }),
		effect: (who) => `${who}将无法登录，已有的登录立即失效，直到重新启用`,
		already: '已禁用',
	},
	assign: {
		verb: '添加角色',
		field: roles,
		changeOf: (addRoleIds) => ({ addRoleIds }),
		effect: (who, names) => `${who}将得到角色“${names}”`,
		already: '已有所选角色',
	},
	remove: {
		verb: '移除角色',
		field: roles,
		changeOf: (removeRoleIds) => ({ removeRoleIds }),
		effect: (who, names) => `${who}将失去角色“${names}”`,
		already: '没有所选角色',
	},
	reset: {
		verb: '重置密码',
		changeOf: () => 'passwords',
		effect: (who) => `${who}将得到一次性密码，7 天内有效。原密码和在所有设备上的登录立即失效`,
		already: '是您自己',
	},
	delete: {
		verb: '删除',
		isDangerous: true,
		changeOf: () => ({ delete: true }),
		effect: (who) => `${who}将被删除，角色将被移除，手机号可以重新使用。以后可以在员工列表的“已删除”中返岗`,
	},
} satisfies Record<string, Action>;
