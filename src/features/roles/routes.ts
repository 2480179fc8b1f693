import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedBy } from '../../identity/history/versions.ts';
import { permit, type RouteDependencies } from '../../identity/session/session.ts';
import type { Db } from '../../platform/database/open.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { idPath, readPaging } from '../../platform/http/fields.ts';
import {
	conditional,
	doc,
	noContent,
	protectedFailures,
	Success,
	SuccessPage,
	success,
	successPage,
	Tagged,
} from '../../platform/http/reply.ts';
import { paginate } from '../../platform/vocabulary/paging.ts';
import { CreateRole, maxRoles, Role, RoleCode, RoleCodeQuery, RoleQuery, UpdateRole } from './model.ts';
import {
	createRole,
	deleteRole,
	findRoles,
	getRole,
	listRoles,
	proposeCode,
	roleVersion,
	updateRole,
} from './service.ts';

const IdPath = idPath(6);
const manageOne = { transform: permit('role:manage'), params: IdPath, ...conditional };
const answer = taggedBy(roleVersion);

/** The routes of `/api/roles`. */
export function roleRoutes({ db, session }: RouteDependencies) {
	return new Elysia({ prefix: '/api/roles' })
		.use(session)
		.get('', ({ query }) => (Object.keys(query).length > 0 ? pageOfRoles(db, query) : success(listRoles(db))), {
			transform: permit('role:view'),
			query: RoleQuery,
			response: { 200: Type.Union([SuccessPage(Role), Success(Type.Array(Role))]), ...protectedFailures() },
			...doc('listRoles', 'List roles', 'Without a parameter: every role. With any parameter: one page.'),
		})
		.get('/all', () => success(listRoles(db)), {
			transform: permit('role:view'),
			response: { 200: Success(Type.Array(Role)), ...protectedFailures() },
			...doc('listAllRoles', 'List every role'),
		})
		.get('/page', ({ query }) => pageOfRoles(db, query), {
			transform: permit('role:view'),
			query: RoleQuery,
			response: { 200: SuccessPage(Role), ...protectedFailures() },
			...doc('listRolePage', 'List one page of roles'),
		})
		.get('/code', ({ query }) => success(proposeCode(db, query.name ?? '')), {
			transform: permit('role:manage'),
			query: RoleCodeQuery,
			response: { 200: Success(RoleCode), ...protectedFailures() },
			...doc('proposeRoleCode', 'Propose the code of a new role from the pinyin of its name'),
		})
		.get('/:id', ({ params, set }) => answer(set, getRole(db, params.id)), {
			transform: permit('role:view'),
			params: IdPath,
			response: { 200: Tagged(Role), ...protectedFailures(404) },
			...doc('getRole', 'Get a role'),
		})
		.post('', ({ caller, body, set, status }) => status(201, answer(set, createRole(db, caller, body))), {
			transform: permit('role:manage'),
			...jsonBody(CreateRole),
			response: { 201: Tagged(Role), ...protectedFailures(409, 413, 503) },
			...doc(
				'createRole',
				'Create a custom role',
				`A new role holds no permissions. With ${maxRoles.toLocaleString('en')} roles, the built-in ones included, it answers 409.`,
			),
		})
		.patch('/:id', ({ caller, params, body, set }) => answer(set, updateRole(db, caller, params.id, body)), {
			...manageOne,
			...jsonBody(UpdateRole),
			response: { 200: Tagged(Role), ...protectedFailures(404, 409, 412, 413, 503) },
			...doc('updateRole', 'Update a custom role', 'A built-in role answers 409.'),
		})
		.delete('/:id', ({ caller, params, status }) => status(204, deleteRole(db, caller, params.id)), {
			...manageOne,
			response: { ...noContent, ...protectedFailures(404, 409, 412, 503) },
			...doc('deleteRole', 'Delete a custom role that no employee holds'),
		});
}

function pageOfRoles(db: Db, query: RoleQuery) {
	const paging = readPaging(query);
	return successPage(paginate(findRoles(db, query), paging), paging);
}
