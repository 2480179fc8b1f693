import { useQuery } from '@tanstack/react-query';
import { Skeleton, Tag } from 'antd';
import { Link } from 'wouter';
import type { Employee } from '../../features/employees/model.ts';
import { historyCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { lastSignIn, statusTags } from '../employees/employee-columns.tsx';
import { type Choice, employeePage, oneEmployee, useAccess } from '../employees/employee-queries.ts';
import { RestoreButton } from '../employees/restore-form.tsx';
import { HistoryList, records } from '../history/history-list.tsx';
import { Facts } from '../page/facts.tsx';
import { Initial } from '../page/initial.tsx';
import { Loaded, Problem } from '../page/loaded.tsx';
import { useSteady } from '../page/open-form.ts';
import { PageHead } from '../page/page-head.tsx';
import { Phone } from '../page/texts.tsx';
import { PersonAccess } from './person-access.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonReach } from './person-reach.tsx';

/** One employee: their permissions, data and history. */
export function PersonPage({ id }: { id: string }) {
	return (
		<Loaded query={useQuery(oneEmployee.byId(id))} gone={<FormerPerson id={Number(id)} />}>
			{(employee) => <PersonView employee={employee} />}
		</Loaded>
	);
}

const list = { href: '/employees', title: '员工' };

/** A deleted employee, if the account may read the history, which still knows the name. */
function FormerPerson({ id }: { id: number }) {
	const { can } = useOwn();
	const { data, isLoading } = useQuery({ ...latestRecords(id), enabled: can(historyCode) });
	const former = data?.items[0]?.mentioned.find((each) => each.type === 'EMPLOYEE' && each.id === id);
	if (isLoading) return <Skeleton active />;
	if (!former) return <Problem>{can('employee:manage') && allDeleted}</Problem>;
	return (
		<>
			<PageHead back={list} title={former.name} tags={<Tag>已删除</Tag>}>
				{can('employee:manage') && <Restoration {...former} />}
			</PageHead>
			<PersonHistory id={id} />
		</>
	);
}

const allDeleted = <Link href="/employees?status=DELETED">查看已删除的员工</Link>;

/** Offers to restore a deleted employee, unless the account does not reach them. */
function Restoration({ id, name }: Choice) {
	const { data } = useQuery(employeePage({ deleted: true, search: name }, { page: 1, pageSize: 100 }));
	const employee = data?.items.find((each) => each.id === id);
	if (!employee) return data && allDeleted;
	return <RestoreButton employee={employee} />;
}

function PersonView({ employee }: { employee: Versioned<Employee> }) {
	const { can } = useOwn();
	const { storeId, storeName } = employee;
	const manage = useSteady(useAccess(employee.id).data?.manage);
	return (
		<>
			<PageHead back={list} title={employee.name} mark={<Initial of={employee} />} tags={statusTags(employee)}>
				{manage?.allowed && <PersonActions employee={employee} />}
			</PageHead>
			{/* The reason why the account cannot manage the employee, and the colleagues who can. */}
			{manage?.allowed === false && (
				<p>
					{manage.message}。可以请{[...manage.people.map(({ name }) => name), '超级管理员'].join('、')}操作。
				</p>
			)}
			<PersonAccess employee={employee} />
			<h2>资料</h2>
			<Facts
				items={{
					工号: employee.externalId,
					手机号: <Phone of={employee.phone} />,
					门店: can('store:view') ? <Link href={`/stores/${storeId}`}>{storeName}</Link> : storeName,
					最近登录: lastSignIn(employee),
					最后工作日: employee.leavesOn,
					备注: employee.remark && <span className="multiline">{employee.remark}</span>,
				}}
			/>
			<PersonReach employee={employee} />
			{can(historyCode) && <PersonHistory id={employee.id} />}
		</>
	);
}

const latestRecords = (id: number) => records({ targetType: 'EMPLOYEE', targetId: id, pageSize: 10 });

function PersonHistory({ id }: { id: number }) {
	const query = useQuery(latestRecords(id));
	const all = `targetType=EMPLOYEE&targetId=${id}`;
	return (
		<>
			<h2>操作记录</h2>
			<HistoryList query={query} filter={{ targetId: id }} hrefOf={(record) => `/history/${record.id}?${all}`} />
			<p className="actions">
				<Link href={`/history?${all}`}>查看全部操作记录</Link>
			</p>
		</>
	);
}
