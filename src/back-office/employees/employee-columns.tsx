import { Tag } from 'antd';
import { Link } from 'wouter';
import type { Employee, EmployeeStatusTag } from '../../employees/model.ts';
import type { Column } from '../page/listing.tsx';
import { Phone } from '../page/texts.tsx';

/** The columns of a list of employees; `hrefOf` gives the address of one, if the account can open it. */
export function employeeColumns(
	hrefOf: ((employee: Employee) => string) | undefined,
	shown = { store: true },
): Column<Employee>[] {
	const store = { title: '门店', render: ({ storeName }: Employee) => storeName };
	return [
		{
			title: '姓名',
			render: (employee) => (hrefOf ? <Link href={hrefOf(employee)}>{employee.name}</Link> : employee.name),
		},
		{ title: '手机号', render: ({ phone }) => <Phone of={phone} />, width: 140 },
		...(shown.store ? [store] : []),
		{ title: '角色', render: ({ roles }) => <RoleNames roles={roles} /> },
		{ title: '状态', render: ({ statusTags }) => <StatusTags tags={statusTags} />, width: 180 },
	];
}

/** The roles that somebody holds. */
export function RoleNames({ roles }: Pick<Employee, 'roles'>) {
	if (roles.length === 0) return <span className="absent">未分配</span>;
	return roles.map(({ name }) => name).join('、');
}

/** Whether an employee can work, in the server's own words. */
export function StatusTags({ tags }: { tags: readonly EmployeeStatusTag[] }) {
	return (
		<span className="tags">
			{tags.map(({ code, label, variant }) => (
				<Tag key={code} color={variant}>
					{label}
				</Tag>
			))}
		</span>
	);
}
