import type { EmployeesChange } from '../../features/employees/changes-model.ts';
import { required } from '../forms/form-drawer.tsx';
import { AssignableSelect } from './assignable-select.tsx';
import { type BulkAction, ChosenItem } from './bulk-form.tsx';

/** A change of many employees; new passwords are none of the history. */
export type PeopleChange = EmployeesChange | 'passwords';

const store = (
	<ChosenItem label="门店" rules={required('请选择门店')}>
		<AssignableSelect of="stores" labelInValue />
	</ChosenItem>
);

const roles = (
	<ChosenItem label="角色" rules={required('请选择角色')}>
		<AssignableSelect of="roles" mode="multiple" labelInValue />
	</ChosenItem>
);

/** Everything that can be done with those who are selected. */
export const actions = {
	move: {
		verb: '调店',
		field: store,
		changeOf: ([storeId]) => ({ storeId }),
		effect: (who, name) => `${who}将调到“${name}”`,
		already: '已在这家门店',
		done: (who, name) => `${who}已调到“${name}”`,
	},
	enable: {
		verb: '启用',
		changeOf: () => ({ status: 'ACTIVE' }),
		effect: (who) => `${who}将可以重新登录`,
		already: '已启用',
		done: (who) => `${who}已启用`,
	},
	disable: {
		verb: '禁用',
		isDangerous: true,
		isRisky: true,
		changeOf: () => ({ status: 'INACTIVE' }),
		effect: (who) => `${who}将无法登录，已有的登录立即失效，直到重新启用`,
		already: '已禁用',
		done: (who) => `${who}已禁用`,
	},
	assign: {
		verb: '添加角色',
		field: roles,
		changeOf: (addRoleIds) => ({ addRoleIds }),
		effect: (who, names) => `${who}将得到角色“${names}”`,
		already: '已有所选角色',
		done: (who, names) => `${who}已得到角色“${names}”`,
	},
	remove: {
		verb: '移除角色',
		isRisky: true,
		field: roles,
		changeOf: (removeRoleIds) => ({ removeRoleIds }),
		effect: (who, names) => `${who}将失去角色“${names}”`,
		already: '没有所选角色',
		done: (who, names) => `${who}已失去角色“${names}”`,
	},
	reset: {
		verb: '重置密码',
		changeOf: () => 'passwords',
		effect: (who) => `${who}将得到一次性密码，7 天内有效。原密码和在所有设备上的登录立即失效`,
		already: '',
		done: (who) => `${who}的密码已重置`,
	},
	delete: {
		verb: '删除',
		isDangerous: true,
		isRisky: true,
		changeOf: () => ({ delete: true }),
		effect: (who) => `${who}将被删除，角色将被解除，手机号可以重新使用。以后可以在员工列表的“已删除”中返岗`,
		already: '',
		done: (who) => `${who}已删除`,
	},
} satisfies Record<string, BulkAction<PeopleChange>>;
