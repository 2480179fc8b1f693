import { Type } from '@sinclair/typebox';
import { type Context, Elysia } from 'elysia';
import type { Db } from '../database/open.ts';
import { tagged } from '../history/versions.ts';
import { jsonBody } from '../http/body.ts';
import { pathId } from '../http/fields.ts';
import { protectedFailures, Success, success } from '../http/reply.ts';
import { conditional, Tagged } from '../http/versions.ts';
import { permit, permitDespite, type RouteDependencies } from '../session/session.ts';
import { catalog, inOrder, menusFor } from '../vocabulary/permissions.ts';
import { OwnPermissions, PermissionDefinitions, PermissionPolicy, ReplacePermissions } from './model.ts';
import { getPolicy, listPolicies, policyVersion, replacePermissions } from './service.ts';

const RolePath = Type.Object({ roleId: pathId('The id of a role.', 2) });

/** The routes of `/api/permissions`. */
export function permissionRoutes({ db, session }: RouteDependencies) {
	return new Elysia({ prefix: '/api/permissions', detail: { tags: ['Permissions'] } })
		.use(session)
		.get(
			'/me',
			({ actor }) => success({ permissions: inOrder(actor.permissions), menus: menusFor(actor.permissions) }),
			{
				transform: permitDespite('SECOND_FACTOR'),
				response: { 200: Success(OwnPermissions), ...protectedFailures() },
				detail: { operationId: 'getOwnPermissions', summary: 'Get your own permissions and menus' },
			},
		)
		.get('/policies', () => success(listPolicies(db)), {
			transform: permit('permission:view'),
			response: { 200: Success(Type.Array(PermissionPolicy)), ...protectedFailures() },
			detail: {
				operationId: 'listPermissionPolicies',
				summary: 'List the permissions of each role',
				description: 'One policy for each role, the super administrator first.',
			},
		})
		.get('/definitions', () => success(catalog), {
			transform: permit('permission:view'),
			response: { 200: Success(PermissionDefinitions), ...protectedFailures() },
			detail: { operationId: 'getPermissionDefinitions', summary: 'Get the assignable permission points' },
		})
		.get('/roles/:roleId', ({ params, set }) => answer(db, set, getPolicy(db, params.roleId)), {
			transform: permit('permission:view'),
			params: RolePath,
			response: { 200: Tagged(PermissionPolicy), ...protectedFailures(404) },
			detail: { operationId: 'getRolePermissions', summary: 'Get the permissions of a role' },
		})
		.put(
			'/roles/:roleId',
			({ caller, params, body, set }) =>
				answer(db, set, replacePermissions(db, caller, params.roleId, body.permissions)),
			{
				transform: permit('permission:manage'),
				params: RolePath,
				...conditional,
				...jsonBody(ReplacePermissions),
				response: { 200: Tagged(PermissionPolicy), ...protectedFailures(404, 412, 413, 503) },
				detail: {
					operationId: 'replaceRolePermissions',
					summary: "Replace a role's permissions",
					description:
						'The submitted codes replace those the role holds; codes they depend on are added. ' +
						'A caller with permission:manage can grant any code, so it is as powerful as an administrator.',
				},
			},
		);
}

function answer(db: Db, set: Context['set'], policy: PermissionPolicy) {
	return tagged(set, policyVersion(db, policy), policy);
}
