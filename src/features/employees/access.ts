/** What an employee may do and why, and whether they can sign in. */

import { hasSecondFactor } from '../../identity/session/accounts.ts';
import { type Actor, hasNoPassword } from '../../identity/session/actor.ts';
import { ownPoints, permissionsOfRoles } from '../../identity/session/points.ts';
import { messageFor } from '../../identity/session/refusals.ts';
import type { Db } from '../../platform/database/open.ts';
import { snapshot } from '../../platform/database/query.ts';
import { catalogWith, hasPermission, type Permissions, scopeOf } from '../../platform/vocabulary/permissions.ts';
import { portalsRefusing } from '../auth/sign-in.ts';
import { type EmployeeAccess, employeeMessages } from './model.ts';
import { getEmployee } from './service.ts';

/** How it is at a time in ISO 8601. @throws AppError NOT_FOUND; FORBIDDEN when the actor is confined to another store. */
export function explainAccess(db: Db, actor: Actor, id: number, at: string): EmployeeAccess {
	return snapshot(db, () => {
		const employee = getEmployee(db, actor, id);
		const { roles, passwordIsInitial, passwordExpiresAt } = employee;
		const account = { accountType: 'EMPLOYEE', id } as const;
		const isWithout = hasNoPassword({ ...account, passwordIsInitial }, actor.requirements);
		const granted = permissionsOfRoles(db, roles);
		const permissions: Permissions = new Set(Array.from(granted.values()).flatMap((codes) => [...codes]));
		return {
			employeeId: id,
			...(hasPermission(actor.permissions, 'permission:view') && {
				scope: scopeOf(permissions),
				permissions: catalogWith(ownPoints(db)).permissions.map(({ code, title }) => ({
					code,
					title,
					held: permissions.has(code),
					roles: roles.filter((role) => granted.get(role.id)?.has(code)),
				})),
			}),
			doors: (['BACK_OFFICE', 'EMPLOYEE'] as const).map((door) => {
				const keptOut = portalsRefusing(door, { ...employee, permissions }, at);
				const why = keptOut && messageFor(keptOut);
				const message = (isWithout ? employeeMessages.noPassword : why) ?? null;
				return { door, allowed: message === null, message };
			}),
			passwordIsInitial,
			passwordExpiresAt,
			hasSecondFactor: hasSecondFactor(db, account),
		};
	});
}
