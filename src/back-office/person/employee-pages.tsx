import { Route, Switch } from 'wouter';
import { EmployeeList, HiringButtons } from '../employees/employee-list.tsx';
import { employeeKind } from '../employees/import-kind.ts';
import { ImportPage } from '../employees/import-page.tsx';
import { Problem } from '../page/loaded.tsx';
import { PersonPage } from './person-page.tsx';

/** The pages below `/employees`. */
export default function EmployeePages() {
	return (
		<Switch>
			<Route path="/employees">
				<EmployeeList>
					<HiringButtons />
				</EmployeeList>
			</Route>
			<Route path="/employees/import">
				<ImportPage kind={employeeKind} />
			</Route>
			<Route path="/employees/:id">{({ id }) => <PersonPage key={id} id={id} />}</Route>
			<Route>
				<Problem />
			</Route>
		</Switch>
	);
}
