import { AdministratorPage } from '../permissions/administrator-page.tsx';
import { OwnPointPage } from '../permissions/own-point-page.tsx';
import { ProgramPage } from '../permissions/program-page.tsx';
import { RoleListPage } from './role-list-page.tsx';
import { RoleFormPage, RolePage } from './role-page.tsx';

/** The pages below `/roles`. */
export default [
	{ path: '/roles', Page: RoleListPage },
	{ path: '/roles/points', needs: 'permission:view', Page: OwnPointPage },
	{ path: '/roles/programs', needs: 'permission:view', Page: ProgramPage },
	{ path: '/roles/administrators', needs: '*', Page: AdministratorPage },
	{ path: '/roles/new', needs: 'role:manage', Page: () => <RoleFormPage /> },
	{ path: '/roles/:id/edit', Page: (role: { id: string }) => <RolePage {...role} isForm /> },
	{ path: '/roles/:id', Page: RolePage },
] as const;
