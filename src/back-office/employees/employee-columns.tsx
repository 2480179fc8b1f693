import { Tag } from 'antd';
import type { ReactNode } from 'react';
import type { Employee } from '../../features/employees/model.ts';
import { today } from '../page/day.ts';
import { Initial } from '../page/initial.tsx';
import { type Column, RowLink } from '../page/listing.tsx';
import { Clipped, Phone, Time } from '../page/texts.tsx';
import { RestoreButton } from './restore-form.tsx';

/** The columns of a list of employees. Columns whose value is the same for all are left out. */
export function employeeColumns({ store, role }: Record<'store' | 'role', boolean>): Column<Employee>[] {
	return [
		{
			title: '姓名',
			render: (employee) => (
				<span className="named">
					<Initial of={employee} />
					<RowLink href={`/employees/${employee.id}`}>{employee.name}</RowLink>
					{statusTags(employee, !store)}
				</span>
			),
		},
		{ title: '手机号', render: ({ phone }) => <Phone of={phone} />, width: 140 },
		...(store ? [{ title: '门店', render: ({ storeName }: Employee) => <Clipped>{storeName}</Clipped> }] : []),
		...(role ? [{ title: '角色', render: ({ roles }: Employee) => <RoleNames roles={roles} /> }] : []),
		{ title: '最近登录', render: lastSignIn, width: 160, isForWide: true },
	];
}

/** The columns of a list of deleted employees. Each can come back. */
export const deletedColumns: Column<Employee>[] = [
	{ title: '姓名', render: ({ name }) => <Clipped>{name}</Clipped> },
	{ title: '手机号', render: ({ phone }) => <Phone of={phone} />, width: 140 },
	{ title: '原门店', render: ({ storeName }) => <Clipped>{storeName}</Clipped> },
	{ title: '删除时间', render: ({ updatedAt }) => <Time at={updatedAt} />, width: 160 },
	{ title: '操作', render: (employee) => <RestoreButton employee={employee} />, width: 110 },
];

/** The time of the last sign-in, if the list asked for it. */
export function lastSignIn({ lastSignInAt: at }: Pick<Employee, 'lastSignInAt'>): ReactNode {
	if (at === undefined) return undefined;
	return at ? <Time at={at} /> : <span className="absent">从未登录</span>;
}

function RoleNames({ roles }: Pick<Employee, 'roles'>) {
	if (roles.length === 0) return '没有角色';
	const count = roles.length > 3 ? `${roles.length} 个：` : '';
	return <Clipped>{`${count}${roles.map(({ name }) => name).join('、')}`}</Clipped>;
}

/**
 * The reason why an employee cannot sign in, in the server's words, or else their last day; usually nothing.
 * @param isInStore whether the tags stand on the page of the store, which shows that the store is disabled
 */
export function statusTags(
	{ statusTags: tags, leavesOn }: Pick<Employee, 'statusTags' | 'leavesOn'>,
	isInStore = false,
): ReactNode {
	const shown = tags.filter(({ code }) => code !== 'EMPLOYEE_ACTIVE' && !(isInStore && code === 'STORE_INACTIVE'));
	if (shown.length === 0) {
		const thisYear = today().slice(0, 5);
		return leavesOn ? <Tag>{leavesOn.replace(thisYear, '')} 离职</Tag> : undefined;
	}
	return (
		<span className="line">
			{shown.map(({ code, label, variant }) => (
				<Tag key={code} color={variant}>
					{label}
				</Tag>
			))}
		</span>
	);
}
