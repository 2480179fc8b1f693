import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { useLocation } from 'wouter';
import type { Employee } from '../../employees/model.ts';
import { showPhone } from '../../vocabulary/phone.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { EmployeeForm } from '../employees/employee-form.tsx';
import {
	accessOf,
	changeEmployee,
	deleteEmployee,
	issuePassword,
	removeSecondFactor,
	useMayChange,
} from '../employees/employee-queries.ts';
import { useShowSlips } from '../employees/slips.tsx';
import { DangerButton } from '../forms/danger.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { ListAddress } from '../page/search.ts';
import { LeaveForm } from './leave-form.tsx';

interface Props {
	employee: Versioned<Employee>;
}

/** What can be done with a person, or why nothing can. */
export function PersonActions({ employee }: Props) {
	const mayChange = useMayChange(employee);
	if (mayChange === undefined) return null;
	return mayChange ? <Actions employee={employee} /> : <span className="absent">权限高于您，不能操作</span>;
}

function Actions({ employee }: Props) {
	const { user, can } = useOwn();
	const { data: access } = useQuery({ ...accessOf(employee.id), enabled: can('permission:view') });
	const showSlips = useShowSlips();
	const [, navigate] = useLocation();
	const addressOf = useContext(ListAddress);
	const { id, name, status, leavesOn } = employee;
	const isActive = status === 'ACTIVE';
	const isOwn = user.accountType === 'EMPLOYEE' && user.id === id;
	return (
		<>
			<FormButton type="primary" form={<EmployeeForm employee={employee} />}>
				编辑
			</FormButton>
			{isActive && !leavesOn && <FormButton form={<LeaveForm employee={employee} />}>离职</FormButton>}
			{isActive && leavesOn && (
				<DangerButton
					title={`取消“${name}”的离职？`}
					effect={`最后工作日 ${leavesOn} 将清空。`}
					verb="取消离职"
					run={() => changeEmployee(employee, { leavesOn: null })}
					success="离职已取消"
				/>
			)}
			{!isActive && leavesOn ? (
				<DangerButton
					title={`“${name}”返岗？`}
					effect="账号将重新启用，最后工作日将清空。"
					verb="返岗"
					run={() => changeEmployee(employee, { status: 'ACTIVE', leavesOn: null })}
					success={`“${name}”已返岗`}
				/>
			) : (
				<DangerButton
					title={`${isActive ? '禁用' : '启用'}“${name}”？`}
					effect={isActive ? '该员工将无法登录，已有的登录立即失效，直到重新启用。' : '该员工将可以重新登录。'}
					verb={isActive ? '禁用' : '启用'}
					run={() => changeEmployee(employee, { status: isActive ? 'INACTIVE' : 'ACTIVE' })}
					success={isActive ? '员工已禁用' : '员工已启用'}
				/>
			)}
			<DangerButton
				title={`重置“${name}”的密码？`}
				effect="将生成一个一次性密码，7 天内有效。原密码和该员工在所有设备上的登录立即失效。"
				verb="重置密码"
				run={() => issuePassword(employee)}
				success="密码已重置"
				onDone={(slip) => showSlips([slip])}
			/>
			{/* Who may not look at permissions does not know. */}
			{!isOwn && access?.hasSecondFactor !== false && (
				<DangerButton
					title={`移除“${name}”的两步验证？`}
					effect="员工丢失手机且没有恢复码时使用。移除后只用密码就能登录，直到本人重新开启。"
					verb="移除"
					run={() => removeSecondFactor(employee)}
					success="两步验证已移除"
				>
					移除两步验证
				</DangerButton>
			)}
			<DangerButton
				isRed
				title={`删除“${name}”？`}
				effect={`其 ${employee.roles.length} 个角色将被解除，手机号 ${showPhone(employee.phone)} 可以重新使用。以后可以在员工列表的“已删除”中返岗。`}
				verb="删除"
				run={() => deleteEmployee(employee)}
				success="员工已删除"
				onDone={() => navigate(addressOf('/employees'))}
			/>
		</>
	);
}
