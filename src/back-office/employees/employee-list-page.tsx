import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useLocation } from 'wouter';
import { useOwn } from '../account/own.ts';
import { FormButton } from '../forms/form-button.tsx';
import { ChoiceFilter, FilterBar, KeywordFilter, StatusFilter } from '../page/filters.tsx';
import { Listing } from '../page/listing.tsx';
import { useSearch } from '../page/search.ts';
import { employeeColumns } from './employee-columns.tsx';
import { EmployeeDrawer } from './employee-drawer.tsx';
import { EmployeeForm } from './employee-form.tsx';
import { employeeFilter, employeePage, visibleChoices } from './employee-queries.ts';
import { ExportButton } from './export-button.tsx';

/** The employees that the account may see, and one of them beside the list. */
export function EmployeeListPage({ openId }: { openId: string | undefined }) {
	const own = useOwn();
	const search = useSearch();
	const [, navigate] = useLocation();
	const query = useQuery(employeePage(search));
	const { data: offered } = useQuery(visibleChoices(own));
	const [stores, roles] = [optionsOf(offered?.stores), optionsOf(offered?.roles)];
	const isFiltered = Object.keys(employeeFilter(search)).length > 0;
	return (
		<>
			<h1>员工管理</h1>
			<FilterBar
				actions={
					<>
						<ExportButton search={search} />
						{own.can('employee:manage') && <Button onClick={() => navigate('/employees/import')}>导入</Button>}
						{own.can('employee:manage') && (
							<FormButton
								type="primary"
								icon={<PlusOutlined aria-hidden />}
								form={(opened) => (
									<EmployeeForm {...opened} onDone={({ id }) => navigate(search.keep(`/employees/${id}`))} />
								)}
							>
								新增员工
							</FormButton>
						)}
					</>
				}
			>
				<KeywordFilter search={search} label="搜索姓名或手机号" />
				{stores.length > 1 && <ChoiceFilter search={search} name="storeId" label="门店" options={stores} />}
				{roles.length > 0 && <ChoiceFilter search={search} name="roleId" label="角色" options={roles} />}
				<StatusFilter search={search} />
			</FilterBar>
			<Listing
				label="员工"
				query={query}
				columns={employeeColumns(({ id }) => search.keep(`/employees/${id}`))}
				rowKey={({ id }) => id}
				search={search}
				empty={isFiltered ? '没有符合条件的员工' : '还没有员工'}
			/>
			<EmployeeDrawer id={openId} onClose={() => navigate(search.keep('/employees'))} />
		</>
	);
}

function optionsOf(choices: readonly { id: number; name: string }[] = []) {
	return choices.map(({ id, name }) => ({ value: `${id}`, label: name }));
}
