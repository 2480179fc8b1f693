import { Route, Switch } from 'wouter';
import { Guarded } from '../account/guarded.tsx';
import { FormPage } from '../forms/opening.tsx';
import { AdministratorPage } from '../permissions/administrator-page.tsx';
import { OwnPointPage } from '../permissions/own-point-page.tsx';
import { ProgramPage } from '../permissions/program-page.tsx';
import { RoleForm } from './role-form.tsx';
import { RoleListPage } from './role-list-page.tsx';
import { RoleEditPage, RolePage } from './role-page.tsx';

/** The pages below `/roles`. */
export default function RolePages() {
	return (
		<Switch>
			<Route path="/roles" component={RoleListPage} />
			<Route path="/roles/points">
				<Guarded needs="permission:view">
					<OwnPointPage />
				</Guarded>
			</Route>
			<Route path="/roles/programs">
				<Guarded needs="permission:view">
					<ProgramPage />
				</Guarded>
			</Route>
			<Route path="/roles/administrators">
				<Guarded needs="*">
					<AdministratorPage />
				</Guarded>
			</Route>
			<Route path="/roles/new">
				<Guarded needs="role:manage">
					<FormPage backTo="/roles">
						<RoleForm />
					</FormPage>
				</Guarded>
			</Route>
			<Route path="/roles/:id/edit">{({ id }) => <RoleEditPage key={id} id={id} />}</Route>
			<Route path="/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
		</Switch>
	);
}
