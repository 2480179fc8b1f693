import { Route, Switch } from 'wouter';
import { useOwn } from '../account/own.ts';
import { Problem } from '../page/problem.tsx';
import { EmployeeListPage } from './employee-list-page.tsx';
import { ImportPage } from './import-page.tsx';

/** The pages below `/employees`: a person is shown beside the list. */
export default function EmployeePages() {
	const own = useOwn();
	return (
		<Switch>
			<Route path="/employees/import">{own.can('employee:manage') ? <ImportPage /> : <Problem status={403} />}</Route>
			<Route path="/employees/:id?">{({ id }) => <EmployeeListPage openId={id} />}</Route>
		</Switch>
	);
}
