import { Form } from 'antd';
import type { EmployeesChange } from '../../features/employees/changes-model.ts';
import { required } from '../forms/form-drawer.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { people } from '../page/texts.tsx';
import type { Choice, Choices } from './employee-queries.ts';

/** The values of an action's form. */
export interface ChangeValues {
	storeId?: number;
	roleIds?: number[];
}

/** Something that can be done with many employees at once. */
export interface Action {
	verb: string;
	isDangerous?: true;
	/** Whether somebody who does it to themselves may regret it. */
	isRisky?: true;
	/** The change, once the form says enough. */
	changeOf(values: ChangeValues): EmployeesChange | undefined;
	Field?(props: { choices: Choices; isLoading: boolean }): React.ReactNode;
	/** The effect on this many people. */
	effect(count: number, chosen: string): string;
	/** The state that the others have already. */
	already: string;
	done(count: number, chosen: string): string;
	/** Whether it cannot be undone from here. */
	isFinal?: true;
}

const StoreField: Action['Field'] = ({ choices, isLoading }) => (
	<Form.Item name="storeId" label="门店" rules={required('请选择门店')}>
		<ChoiceSelect loading={isLoading} options={choices.stores} placeholder="选择门店" />
	</Form.Item>
);

const RolesField: Action['Field'] = ({ choices, isLoading }) => (
	<Form.Item name="roleIds" label="角色" rules={required('请选择角色')}>
		<ChoiceSelect mode="multiple" loading={isLoading} options={choices.roles} placeholder="选择角色" />
	</Form.Item>
);

/** Everything that can be done with those who are selected. */
export const actions: readonly Action[] = [
	{
		verb: '调店',
		Field: StoreField,
		changeOf: ({ storeId }) => (storeId === undefined ? undefined : { storeId }),
		effect: (count, store) => `${people(count)}将调到“${store}”`,
		already: '已在这家门店',
		done: (count, store) => `${people(count)}已调到“${store}”`,
	},
	{
		verb: '启用',
		changeOf: () => ({ status: 'ACTIVE' }),
		effect: (count) => `${people(count)}将可以重新登录`,
		already: '已启用',
		done: (count) => `${people(count)}已启用`,
	},
	{
		verb: '禁用',
		isDangerous: true,
		isRisky: true,
		changeOf: () => ({ status: 'INACTIVE' }),
		effect: (count) => `${people(count)}将无法登录，已有的登录立即失效，直到重新启用`,
		already: '已禁用',
		done: (count) => `${people(count)}已禁用`,
	},
	{
		verb: '添加角色',
		Field: RolesField,
		changeOf: ({ roleIds }) => (roleIds?.length ? { addRoleIds: roleIds } : undefined),
		effect: (count, roles) => `${people(count)}将得到角色“${roles}”`,
		already: '已有所选角色',
		done: (count, roles) => `${people(count)}已得到角色“${roles}”`,
	},
	{
		verb: '移除角色',
		isRisky: true,
		Field: RolesField,
		changeOf: ({ roleIds }) => (roleIds?.length ? { removeRoleIds: roleIds } : undefined),
		effect: (count, roles) => `${people(count)}将失去角色“${roles}”`,
		already: '没有所选角色',
		done: (count, roles) => `${people(count)}已失去角色“${roles}”`,
	},
	{
		verb: '删除',
		isDangerous: true,
		isRisky: true,
		isFinal: true,
		changeOf: () => ({ delete: true }),
		effect: (count) =>
			`${people(count)}将被删除，其角色将被解除，手机号可以重新使用。以后可以在员工列表的“已删除”中返岗`,
		already: '',
		done: (count) => `${people(count)}已删除，可以在员工列表的“已删除”中返岗`,
	},
];

/** The names of what was chosen. */
export function chosenNames({ stores, roles }: Choices, { storeId, roleIds = [] }: ChangeValues): string {
	const nameOf = (choices: Choice[], id: number) => choices.find((each) => each.id === id)?.name ?? `${id}`;
	return storeId === undefined ? roleIds.map((id) => nameOf(roles, id)).join('、') : nameOf(stores, storeId);
}
