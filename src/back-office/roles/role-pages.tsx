import { Route, Switch } from 'wouter';
import { useOwn } from '../account/own.ts';
import { FormPage } from '../forms/opening.tsx';
import { Problem } from '../page/loaded.tsx';
import { AdministratorPage } from '../permissions/administrator-page.tsx';
import { OwnPointPage } from '../permissions/own-point-page.tsx';
import { ProgramPage } from '../permissions/program-page.tsx';
import { RoleForm } from './role-form.tsx';
import { RoleListPage } from './role-list-page.tsx';
import { RoleEditPage, RolePage } from './role-page.tsx';

/** The pages below `/roles`. */
export default function RolePages() {
	const { can } = useOwn();
	return (
		<Switch>
			<Route path="/roles">
				<RoleListPage />
			</Route>
			<Route path="/roles/points">
				{can('permission:view') ? <OwnPointPage /> : <Problem missing="permission:view" />}
			</Route>
			<Route path="/roles/programs">
				{can('permission:view') ? <ProgramPage /> : <Problem missing="permission:view" />}
			</Route>
			<Route path="/roles/administrators">{can('*') ? <AdministratorPage /> : <Problem missing="*" />}</Route>
			<Route path="/roles/new">
				{can('role:manage') ? (
					<FormPage backTo="/roles">
						<RoleForm />
					</FormPage>
				) : (
					<Problem missing="role:manage" />
				)}
			</Route>
			<Route path="/roles/:id/edit">{({ id }) => <RoleEditPage key={id} id={id} />}</Route>
			<Route path="/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
		</Switch>
	);
}
