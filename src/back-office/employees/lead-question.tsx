/** The built-in 店长 may only look. An account that may decide this is asked once, at the first hire. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Form, type FormInstance, Radio } from 'antd';
import { useState } from 'react';
import type { CreateEmployee } from '../../features/employees/model.ts';
import type { PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { answer, api, ifMatch, type Versioned, versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';

/** The id of the built-in 店长 while it may only look and nobody holds it; else null. */
const firstLead = queryOptions({
	queryKey: ['policies', 'first lead'],
	async queryFn() {
		const policies = await answer(api.permissions.policies.get());
		const lead = policies.find(({ roleCode, isSystem }) => isSystem && roleCode === 'store_manager');
		if (!lead || lead.permissions.includes('employee:manage')) return null;
		const holders = await answer(api.roles({ id: lead.roleId }).employees.get({ query: { pageSize: 1 } }));
		return holders.pagination.total === 0 ? lead.roleId : null;
	},
});

const readPolicy = (roleId: number) => versioned(api.permissions.roles({ roleId }).get());

const savePolicy = ({ roleId, version }: Versioned<{ roleId: number }>, permissions: readonly string[]) =>
	versioned(api.permissions.roles({ roleId }).put({ permissions: permissions as PermissionCode[] }, ifMatch(version)));

/** Whether a form of a new employee has to ask, the answer, and what saves it. */
export function useLeadQuestion(form: FormInstance<CreateEmployee>, isNew: boolean) {
	const own = useOwn();
	const client = useQueryClient();
	const { message, notification } = App.useApp();
	const [manages, setManages] = useState<boolean>();
	const roleIds = Form.useWatch('roleIds', form) ?? [];
	const mayDecide = own.can('permission:manage') && own.can('role:view') && canSeeEmployees(own);
	const { data: roleId = null } = useQuery({ ...firstLead, enabled: isNew && mayDecide });
	const isAsked = roleId !== null && roleIds.includes(roleId);

	async function save(): Promise<void> {
		if (!isAsked || !manages) return;
		const before = await readPolicy(roleId);
		const after = await savePolicy(before, [...before.permissions, 'employee:manage']);
		await client.invalidateQueries();
		async function undo() {
			notification.destroy('lead');
			await savePolicy(after, before.permissions).then(
				() => message.success('已撤销，店长只能查看本店员工'),
				(error) => message.error(asRefusal(error).message),
			);
			await client.invalidateQueries();
		}
		notification.success({
			key: 'lead',
			title: '店长现在可以管理本店员工',
			actions: <Button onClick={() => void undo()}>撤销</Button>,
			duration: 0,
		});
	}

	return {
		isOpen: isAsked && manages === undefined,
		question: isAsked && <LeadQuestion value={manages} onChange={setManages} />,
		save: () => void save().catch((error) => message.error(`店长的权限没有保存：${asRefusal(error).message}`)),
	};
}

function LeadQuestion({ value, onChange }: { value: boolean | undefined; onChange(manages: boolean): void }) {
	const title = '店长可以管理本店员工吗？';
	return (
		<Form.Item label={title} required extra="对所有店长有效，以后可以在角色“店长”中修改">
			<Radio.Group
				aria-label={title}
				value={value}
				onChange={(event) => onChange(event.target.value)}
				options={[
					{ value: true, label: '可以，能新增员工、重置密码' },
					{ value: false, label: '不可以，只能查看' },
				]}
			/>
		</Form.Item>
	);
}
