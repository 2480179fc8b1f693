import { Tag } from 'antd';
import type { ReactNode } from 'react';
import type { Employee, EmployeeStatusTag } from '../../employees/model.ts';
import { type Column, RowLink } from '../page/listing.tsx';
import { Clipped, Phone } from '../page/texts.tsx';

interface Shown {
	/** Whether the account can open the people. */
	links: boolean;
	/** Whether they are of several stores. */
	store: boolean;
}

/** The columns of a list of employees. */
export function employeeColumns({ links, store }: Shown): Column<Employee>[] {
	return [
		{
			title: '姓名',
			render: ({ id, name }) =>
				links ? <RowLink href={`/employees/${id}`}>{name}</RowLink> : <Clipped>{name}</Clipped>,
		},
		{ title: '手机号', render: ({ phone }) => <Phone of={phone} />, width: 140 },
		...(store ? [{ title: '门店', render: ({ storeName }: Employee) => <Clipped>{storeName}</Clipped> }] : []),
		{ title: '角色', render: ({ roles }) => <RoleNames roles={roles} /> },
		{ title: '状态', render: (employee) => statusTags(employee, store ? [] : ['STORE_INACTIVE']), width: 180 },
	];
}

function RoleNames({ roles }: Pick<Employee, 'roles'>) {
	if (roles.length === 0) return <span className="absent">未分配</span>;
	return <Clipped>{roles.map(({ name }) => name).join('、')}</Clipped>;
}

/** What keeps an employee from signing in, in the server's own words; nothing in the normal case, or what is known already. */
export function statusTags(
	{ statusTags: tags }: Pick<Employee, 'statusTags'>,
	known: readonly EmployeeStatusTag['code'][] = [],
): ReactNode {
	const shown = tags.filter(({ code }) => code !== 'EMPLOYEE_ACTIVE' && !known.includes(code));
	if (shown.length === 0) return undefined;
	return (
		<span className="tags">
			{shown.map(({ code, label, variant }) => (
				<Tag key={code} color={variant}>
					{label}
				</Tag>
			))}
		</span>
	);
}
