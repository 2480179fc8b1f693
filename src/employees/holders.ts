import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { idPath, pagingFields, readPaging } from '../http/fields.ts';
import { protectedFailures, SuccessPage, successPage } from '../http/reply.ts';
import { getRole } from '../roles/service.ts';
import { permitAll, type RouteDependencies } from '../session/session.ts';
import { Employee } from './model.ts';
import { listEmployees } from './service.ts';

/** The employees of a role; roles themselves know nothing of employees. */
export function holderRoutes({ db, session }: Pick<RouteDependencies, 'db' | 'session'>) {
	return new Elysia({ prefix: '/api/roles', detail: { tags: ['Roles'] } }).use(session).get(
		'/:id/employees',
		({ actor, params, query }) => {
			const { id: roleId } = getRole(db, Number(params.id));
			const paging = readPaging(query);
			return successPage(listEmployees(db, actor, { roleId }, paging), paging);
		},
		{
			transform: permitAll(['role:view'], ['employee:view:all', 'employee:view:store']),
			params: idPath(2),
			query: Type.Object(pagingFields),
			response: { 200: SuccessPage(Employee), ...protectedFailures(404) },
			detail: {
				operationId: 'listRoleEmployees',
				summary: 'List the employees who hold a role',
				description: 'A caller who may see one store only gets the employees of that store.',
			},
		},
	);
}
