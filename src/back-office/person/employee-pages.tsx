import { EmployeeList, HiringButtons } from '../employees/employee-list.tsx';
import { employeeKind } from '../employees/import-kind.ts';
import { ImportPage } from '../employees/import-page.tsx';
import { PersonPage } from './person-page.tsx';

function EmployeeListPage() {
	return (
		<EmployeeList>
			<HiringButtons />
		</EmployeeList>
	);
}

/** The pages below `/employees`. */
export default [
	{ path: '/employees', Page: EmployeeListPage },
	{ path: '/employees/import', needs: 'employee:manage', Page: () => <ImportPage kind={employeeKind} /> },
	{ path: '/employees/:id', Page: PersonPage },
] as const;
