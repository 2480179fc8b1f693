/** What an employee may do and why, and whether they can sign in. */
import { keptOutAt } from '../auth/sign-in.ts';
import type { Db } from '../database/open.ts';
import { snapshot } from '../database/query.ts';
import { permissionsOfRoles } from '../roles/service.ts';
import { hasSecondFactor } from '../session/accounts.ts';
import type { Actor } from '../session/actor.ts';
import { catalog, type Permissions, scopeOf } from '../vocabulary/permissions.ts';
import type { EmployeeAccess } from './model.ts';
import { getEmployee } from './service.ts';

/** How it is at a time in ISO 8601. @throws AppError NOT_FOUND; FORBIDDEN when the actor is confined to another store. */
export function explainAccess(db: Db, actor: Actor, id: number, at: string): EmployeeAccess {
	return snapshot(db, () => {
		const employee = getEmployee(db, actor, id);
		const { roles, passwordIsInitial, passwordExpiresAt } = employee;
		const granted = permissionsOfRoles(db, roles);
		const permissions: Permissions = new Set(Array.from(granted.values()).flatMap((codes) => [...codes]));
		return {
			employeeId: id,
			scope: scopeOf(permissions),
			permissions: catalog.permissions.map(({ code, title }) => ({
				code,
				title,
				held: permissions.has(code),
				roles: roles.filter((role) => granted.get(role.id)?.has(code)),
			})),
			doors: (['BACK_OFFICE', 'EMPLOYEE'] as const).map((door) => {
				const message = keptOutAt(door, { ...employee, permissions }, at)?.refusal.message ?? null;
				return { door, allowed: message === null, message };
			}),
			passwordIsInitial,
			passwordExpiresAt,
			hasSecondFactor: hasSecondFactor(db, { accountType: 'EMPLOYEE', id }),
		};
	});
}
