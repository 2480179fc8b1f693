import { Button } from 'antd';
import { Link } from 'wouter';
import type { Employee } from '../../employees/model.ts';
import { showPhone } from '../../vocabulary/phone.ts';
import { useOwn } from '../account/own.ts';
import { useDanger } from '../forms/danger.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { Facts } from '../page/facts.tsx';
import { SideDrawer } from '../page/side-drawer.tsx';
import { Optional, Phone, Time } from '../page/texts.tsx';
import { EmployeeAccess } from './employee-access.tsx';
import { RoleNames, StatusTags } from './employee-columns.tsx';
import { EmployeeForm } from './employee-form.tsx';
import { deleteEmployee, employeeById, resetEmployeePassword, setEmployeeStatus } from './employee-queries.ts';

/** One person, beside the list. */
export function EmployeeDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
	return (
		<SideDrawer id={id} title="员工" width={560} query={employeeById} onClose={onClose}>
			{(employee) => <EmployeeView employee={employee} onGone={onClose} />}
		</SideDrawer>
	);
}

interface Props {
	employee: Employee;
	/** When they were deleted. */
	onGone(): void;
}

function EmployeeView({ employee, onGone }: Props) {
	const { can } = useOwn();
	return (
		<>
			<div className="page-head">
				<h2>{employee.name}</h2>
				{can('employee:manage') && (
					<div className="actions">
						<EmployeeActions employee={employee} onGone={onGone} />
					</div>
				)}
			</div>
			<Facts
				items={{
					手机号: <Phone of={employee.phone} />,
					门店: <StoreName employee={employee} />,
					状态: <StatusTags tags={employee.statusTags} />,
					角色: <RoleNames roles={employee.roles} />,
					备注: <Optional text={employee.remark} />,
					创建时间: <Time at={employee.createdAt} />,
					更新时间: <Time at={employee.updatedAt} />,
				}}
			/>
			{can('permission:view') && <EmployeeAccess id={employee.id} />}
			{can('*') && <Link href={`/history?targetType=EMPLOYEE&targetId=${employee.id}`}>查看操作记录</Link>}
		</>
	);
}

function StoreName({ employee: { storeId, storeName } }: { employee: Employee }) {
	return useOwn().can('store:view') ? <Link href={`/stores/${storeId}`}>{storeName}</Link> : storeName;
}

function EmployeeActions({ employee, onGone }: Props) {
	const ask = useDanger();
	const { id, name, status } = employee;
	const isActive = status === 'ACTIVE';
	const switchStatus = () =>
		ask({
			title: `${isActive ? '禁用' : '启用'}“${name}”？`,
			effect: isActive ? '该员工将无法登录，已有的登录立即失效，直到重新启用。' : '该员工将可以重新登录。',
			verb: isActive ? '禁用' : '启用',
			run: () => setEmployeeStatus(id, isActive ? 'INACTIVE' : 'ACTIVE'),
			success: isActive ? '员工已禁用' : '员工已启用',
		});
	const resetPassword = () =>
		ask({
			title: `重置“${name}”的密码？`,
			effect: '密码将变为初始密码，该员工在所有设备上的登录立即失效。',
			verb: '重置密码',
			run: () => resetEmployeePassword(id),
			success: '密码已重置为初始密码',
		});
	const remove = () =>
		ask({
			title: `删除“${name}”？`,
			effect: `删除后不能恢复，其 ${employee.roles.length} 个角色将被解除，手机号 ${showPhone(employee.phone)} 可以重新使用。`,
			verb: '删除',
			run: () => deleteEmployee(id),
			success: '员工已删除',
			onDone: onGone,
		});
	return (
		<>
			<FormButton type="primary" form={(opened) => <EmployeeForm employee={employee} {...opened} />}>
				编辑
			</FormButton>
			<Button onClick={switchStatus}>{isActive ? '禁用' : '启用'}</Button>
			<Button onClick={resetPassword}>重置密码</Button>
			<Button danger onClick={remove}>
				删除
			</Button>
		</>
	);
}
