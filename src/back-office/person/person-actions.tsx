import { Grid } from 'antd';
import { useContext } from 'react';
import { useLocation } from 'wouter';
import type { Employee, EmployeeAccess } from '../../features/employees/model.ts';
import { isWorking } from '../../platform/vocabulary/status.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import type { BulkAction } from '../employees/bulk-form.tsx';
import { actions, type PeopleChange } from '../employees/change-actions.tsx';
import { ChangeForm } from '../employees/change-form.tsx';
import { EmployeeForm } from '../employees/employee-form.tsx';
import { endSignIns, oneEmployee, removeSecondFactor, useAccess } from '../employees/employee-queries.ts';
import { type Choice, MoreMenu } from '../forms/actions.tsx';
import { FormButton } from '../forms/opening.tsx';
import { today } from '../page/day.ts';
import { ListAddress } from '../page/search.ts';
import { LeaveForm, RoleUntilForm } from './ending-forms.tsx';
import { useManaging } from './reach-queries.ts';

interface Props {
	employee: Versioned<Employee>;
}

/** The actions for a person, or why there are none. */
export function PersonActions({ employee }: Props) {
	const managing = useManaging(employee.id);
	if (!managing) return null;
	return managing.allowed ? <Actions employee={employee} /> : <Refused {...managing} />;
}

/** Why nothing can be done here, and who could do it. */
function Refused({ message, people, roles }: NonNullable<EmployeeAccess['manage']>) {
	const names = people.length > 0 ? people.map(({ name }) => name) : roles.map(({ name }) => `角色“${name}”的同事`);
	return (
		<span className="absent">
			{message}。可以请{[...names, '超级管理员'].join('、')}操作。
		</span>
	);
}

function Actions({ employee }: Props) {
	const { id, name } = employee;
	const isWide = Grid.useBreakpoint().md ?? true;
	const isOwn = useIsOwn(employee);
	// Under the thumb of a phone lies what a store needs most.
	const edits = isWide || isOwn;
	return (
		<>
			<FormButton type={edits ? 'primary' : 'default'} form={<EmployeeForm employee={employee} />}>
				编辑
			</FormButton>
			{!isOwn && (
				<FormButton
					type={edits ? 'default' : 'primary'}
					form={<ChangeForm action={actions.reset} ids={[id]} name={name} />}
				>
					重置密码
				</FormButton>
			)}
			<MoreMenu choices={useChoices(employee, isOwn)} />
		</>
	);
}

/** Whether somebody is the signed-in person. */
export function useIsOwn({ id }: Employee): boolean {
	const { user } = useOwn();
	return user.accountType === 'EMPLOYEE' && user.id === id;
}

/** Enabling somebody whose last day is over, which clears that day. */
const comingBack = { ...actions.enable, verb: '返岗', done: (who: string) => `${who}已返岗` };

/** The rare actions. Nobody changes the ends in their own account, or removes their own second factor here. */
function useChoices(employee: Versioned<Employee>, isOwn: boolean): Choice[] {
	const { data: access } = useAccess(employee.id);
	const [, navigate] = useLocation();
	const addressOf = useContext(ListAddress);
	const { id, name, status, leavesOn } = employee;
	const isActive = isWorking[status];
	const hasLeft = leavesOn && leavesOn < today();
	const change = (action: BulkAction<PeopleChange>, onDone?: () => void) => (
		<ChangeForm action={action} ids={[id]} name={name} {...(onDone && { onDone })} />
	);
	const leaving: Choice = leavesOn
		? {
				verb: '撤销离职',
				effect: `最后工作日 ${leavesOn} 将清空`,
				ask: {
					title: `撤销“${name}”的离职？`,
					effect: `最后工作日 ${leavesOn} 将清空。`,
					run: () => oneEmployee.change(employee, { leavesOn: null }),
					success: '离职已撤销',
				},
			}
		: {
				verb: '离职',
				effect: '设定最后工作日，当天结束后自动禁用',
				form: <LeaveForm employee={employee} />,
			};
	const switching: Choice = isActive
		? { verb: '禁用', effect: '立即不能登录，资料和角色保留，随时可以启用', form: change(actions.disable) }
		: hasLeft
			? { verb: '返岗', effect: '可以重新登录，最后工作日将清空', form: change(comingBack) }
			: { verb: '启用', effect: '可以重新登录，资料和角色不变', form: change(actions.enable) };
	const choices: (Choice | false)[] = [
		!isOwn && isActive && leaving,
		!isOwn && {
			verb: '限期角色',
			effect: '临时给一个角色，到期自动取消',
			form: <RoleUntilForm employee={employee} />,
		},
		switching,
		!isOwn &&
			isActive && {
				verb: '结束登录',
				effect: '在所有设备上退出，之后可以重新登录',
				ask: {
					title: `结束“${name}”的登录？`,
					effect: '该员工在所有电脑和手机上的登录立即失效，之后可以重新登录。',
					run: () => endSignIns(employee),
					success: '登录已结束',
				},
			},
		!isOwn &&
			access?.hasSecondFactor === true && {
				verb: '移除两步验证',
				effect: '丢失手机且没有恢复码时使用',
				ask: {
					title: `移除“${name}”的两步验证？`,
					effect: '员工丢失手机且没有恢复码时使用。移除后只用密码就能登录，直到本人重新开启。',
					verb: '移除',
					run: () => removeSecondFactor(employee),
					success: '两步验证已移除',
				},
			},
		{
			verb: '删除',
			effect: '从列表中移除并解除角色，以后可以返岗',
			isRed: true,
			form: change(actions.delete, () => navigate(addressOf('/employees'))),
		},
	];
	return choices.filter((choice) => choice !== false);
}
