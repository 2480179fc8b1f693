import { Route, Switch } from 'wouter';
import { Problem } from '../page/loaded.tsx';
import { AdministratorPage } from '../permissions/administrator-page.tsx';
import { OwnPointPage } from '../permissions/own-point-page.tsx';
import { ProgramPage } from '../permissions/program-page.tsx';
import { RoleListPage } from './role-list-page.tsx';
import { NewRolePage, RolePage } from './role-page.tsx';

/** The pages below `/roles`. */
export default function RolePages() {
	return (
		<Switch>
			<Route path="/roles" component={RoleListPage} />
			<Route path="/roles/points" component={OwnPointPage} />
			<Route path="/roles/programs" component={ProgramPage} />
			<Route path="/roles/administrators" component={AdministratorPage} />
			<Route path="/roles/new" component={NewRolePage} />
			<Route path="/roles/:id/edit">{({ id }) => <RolePage key={id} id={id} isForm />}</Route>
			<Route path="/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
			<Route>
				<Problem />
			</Route>
		</Switch>
	);
}
