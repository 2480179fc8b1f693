/** The built-in 店长 may only view. An account that may change this is asked once, before the first 店长 is hired. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Radio } from 'antd';
import { useState } from 'react';
import type { PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { answer, api, ifMatch, versioned } from '../api/client.ts';
import { WorkButton } from '../forms/working.tsx';
import { useNotify } from './undo-button.tsx';

/** The id of the built-in 店长 while it may only view and nobody has it; otherwise null. */
const firstLead = queryOptions({
	queryKey: ['policies', 'first lead'],
	async queryFn() {
		const [policies, holders] = await Promise.all([
			answer(api.permissions.policies.get()),
			answer(api.roles.holders.get()),
		]);
		const lead = policies.find(({ roleCode, isSystem }) => isSystem && roleCode === 'store_manager');
		const isHeld = holders.some(({ roleId, employees }) => roleId === lead?.roleId && employees > 0);
		return !lead || isHeld || lead.permissions.includes('employee:manage') ? null : lead.roleId;
	},
});

const title = '店长可以管理本店员工吗？';

/**
 * Whether hiring somebody with these roles raises the question, and the function that saves the answer. It is called before
 * they are hired, because the question is not asked again if the answer to that request is lost.
 */
export function useLeadQuestion(roleIds: readonly number[]) {
	const own = useOwn();
	const client = useQueryClient();
	const notify = useNotify('lead');
	const [manages, setManages] = useState<boolean>();
	const mayDecide = own.can('permission:manage') && own.can('role:view') && canSeeEmployees(own);
	const { data: roleId = null, isLoading } = useQuery({ ...firstLead, enabled: roleIds.length > 0 && mayDecide });
	const isAsked = roleId !== null && roleIds.includes(roleId);

	/** @throws Refusal */
	async function save(): Promise<void> {
		if (!isAsked || !manages) return;
		const policy = api.permissions.roles({ roleId });
		const put = (permissions: readonly string[], version: string | undefined) =>
			versioned(policy.put({ permissions: permissions as PermissionCode[] }, ifMatch(version)));
		const before = await versioned(policy.get());
		// An earlier try saved it. Undoing this one would change nothing.
		if (before.permissions.includes('employee:manage')) return;
		const after = await put([...before.permissions, 'employee:manage'], before.version);
		void client.invalidateQueries({ queryKey: ['policies'] });
		async function undo() {
			await put(before.permissions, after.version);
			notify('已撤销，店长只能查看本店员工');
		}
		notify('店长现在可以管理本店员工', <WorkButton work={undo}>撤销</WorkButton>);
	}

	return {
		/** Whether the answer is missing, or it is not known yet whether to ask. */
		isOpen: isLoading || (isAsked && manages === undefined),
		question: isAsked && (
			<fieldset className="clash">
				<legend>{title}</legend>
				<Radio.Group
					vertical
					aria-label={title}
					value={manages}
					onChange={(event) => setManages(event.target.value)}
					options={[
						{ value: true, label: '可以，能新增员工、重置密码' },
						{ value: false, label: '不可以，只能查看' },
					]}
				/>
				<p className="absent">对所有店长有效，以后可以在角色“店长”中修改</p>
			</fieldset>
		),
		save,
	};
}
