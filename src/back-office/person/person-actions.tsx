import { Grid } from 'antd';
import { useContext } from 'react';
import { useLocation } from 'wouter';
import type { Employee, EmployeeAccess } from '../../features/employees/model.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { EmployeeForm } from '../employees/employee-form.tsx';
import {
	endSignIns,
	issuePassword,
	oneEmployee,
	removeSecondFactor,
	useAccess,
} from '../employees/employee-queries.ts';
import { useShowSlips } from '../employees/slips.tsx';
import { type Choice, MoreMenu } from '../forms/actions.tsx';
import { DangerButton } from '../forms/danger.tsx';
import { FormButton } from '../forms/opening.tsx';
import { ListAddress } from '../page/search.ts';
import { LeaveForm, RoleUntilForm } from './ending-forms.tsx';
import { useManaging } from './reach-queries.ts';

interface Props {
	employee: Versioned<Employee>;
}

/** The actions for a person, or why there are none. */
export function PersonActions({ employee }: Props) {
	const { can } = useOwn();
	const managing = useManaging(employee.id);
	if (!can('employee:manage') || !managing) return null;
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
	const isWide = Grid.useBreakpoint().md ?? true;
	const showSlips = useShowSlips();
	const isOwn = useIsOwn(employee);
	// Under the thumb of a phone lies what a store needs most.
	const edits = isWide || isOwn;
	return (
		<>
			<FormButton type={edits ? 'primary' : 'default'} form={<EmployeeForm employee={employee} />}>
				编辑
			</FormButton>
			{!isOwn && (
				<DangerButton
					type={edits ? 'default' : 'primary'}
					title={`重置“${employee.name}”的密码？`}
					effect="将生成一个一次性密码，7 天内有效。原密码和该员工在所有设备上的登录立即失效。"
					verb="重置密码"
					run={() => issuePassword(employee)}
					success="密码已重置"
					onDone={(slip) => showSlips([slip])}
				/>
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

/** The rare actions. Nobody changes the ends in their own account, or removes their own second factor here. */
function useChoices(employee: Versioned<Employee>, isOwn: boolean): Choice[] {
	const { data: access } = useAccess(employee.id);
	const [, navigate] = useLocation();
	const addressOf = useContext(ListAddress);
	const { name, status, leavesOn, roles, phone } = employee;
	const isActive = status === 'ACTIVE';
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
	const back: Choice = {
		verb: '返岗',
		effect: '重新启用账号，并清空最后工作日',
		ask: {
			title: `“${name}”返岗？`,
			effect: '账号将重新启用，最后工作日将清空。',
			run: () => oneEmployee.change(employee, { status: 'ACTIVE', leavesOn: null }),
			success: `“${name}”已返岗`,
		},
	};
	const switching: Choice = {
		verb: isActive ? '禁用' : '启用',
		effect: isActive ? '立即不能登录，资料和角色保留，随时可以启用' : '可以重新登录，资料和角色不变',
		ask: {
			title: `${isActive ? '禁用' : '启用'}“${name}”？`,
			effect: isActive ? '该员工将无法登录，已有的登录立即失效，直到重新启用。' : '该员工将可以重新登录。',
			run: () => oneEmployee.change(employee, { status: isActive ? 'INACTIVE' : 'ACTIVE' }),
			success: isActive ? '员工已禁用' : '员工已启用',
		},
	};
	const choices: (Choice | false)[] = [
		!isOwn && isActive && leaving,
		!isOwn && {
			verb: '限期角色',
			effect: '临时给一个角色，到期自动取消',
			form: <RoleUntilForm employee={employee} />,
		},
		!isActive && leavesOn ? back : switching,
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
			ask: {
				title: `删除“${name}”？`,
				effect: `其 ${roles.length} 个角色将被解除，手机号 ${showPhone(phone)} 可以重新使用。以后可以在员工列表的“已删除”中返岗。`,
				run: () => oneEmployee.remove(employee),
				success: '员工已删除',
				onDone: () => navigate(addressOf('/employees')),
			},
		},
	];
	return choices.filter((choice) => choice !== false);
}
