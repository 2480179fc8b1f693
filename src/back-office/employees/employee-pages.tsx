import { Route, Switch } from 'wouter';
import { EmployeeListPage } from './employee-list-page.tsx';

/** The pages below `/employees`: a person is shown beside the list. */
export default function EmployeePages() {
	return (
		<Switch>
			<Route path="/employees/:id?">{({ id }) => <EmployeeListPage openId={id} />}</Route>
		</Switch>
	);
}
