import { Route, Switch } from 'wouter';
import { Guarded } from '../account/guarded.tsx';
import { AdministratorPage } from '../permissions/administrator-page.tsx';
import { OwnPointPage } from '../permissions/own-point-page.tsx';
import { ProgramPage } from '../permissions/program-page.tsx';
import { RoleListPage } from './role-list-page.tsx';
import { NewRolePage, RoleEditPage, RolePage } from './role-page.tsx';

/** The pages that need a permission besides viewing roles. */
const guarded = [
	{ path: '/roles/points', needs: 'permission:view', component: OwnPointPage },
	{ path: '/roles/programs', needs: 'permission:view', component: ProgramPage },
	{ path: '/roles/administrators', needs: '*', component: AdministratorPage },
	{ path: '/roles/new', needs: 'role:manage', component: NewRolePage },
] as const;

/** The pages below `/roles`. */
export default function RolePages() {
	return (
		<Switch>
			<Route path="/roles" component={RoleListPage} />
			{guarded.map(({ path, needs, component: Page }) => (
				<Route key={path} path={path}>
					<Guarded needs={needs}>
						<Page />
					</Guarded>
				</Route>
			))}
			<Route path="/roles/:id/edit">{({ id }) => <RoleEditPage key={id} id={id} />}</Route>
			<Route path="/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
		</Switch>
	);
}
