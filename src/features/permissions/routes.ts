import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedBy } from '../../identity/history/versions.ts';
import type { Actor } from '../../identity/session/actor.ts';
import { chainPoints, inOrder } from '../../identity/session/granted-permissions.ts';
import { permit, permitDespite, type RouteDependencies } from '../../identity/session/session.ts';
import type { Db } from '../../platform/database/open.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { idPath, integer } from '../../platform/http/fields.ts';
import { conditional, doc, noContent, protectedFailures, Success, success, Tagged } from '../../platform/http/reply.ts';
import { maxPoints } from '../../platform/vocabulary/limits.ts';
import { catalogWith, holds, menusFor } from '../../platform/vocabulary/permissions.ts';
import {
	CreatePoint,
	OwnPermissions,
	PermissionDefinition,
	PermissionDefinitions,
	PermissionPolicy,
	Point,
	ReplacePermissions,
	UpdatePoint,
} from './model.ts';
import { createPoint, deletePoint, getPoint, listPoints, pointVersion, updatePoint } from './points.ts';
import { getPolicy, listPolicies, policyVersion, replacePermissions } from './service.ts';

const RolePath = Type.Object({ roleId: integer('The id of a role.', 2) });

const managePoint = { transform: permit('permission:manage'), params: idPath(1), ...conditional };

const answerPoint = taggedBy(pointVersion);

function definitionsOf(db: Db, { permissions }: Actor) {
	return catalogWith(chainPoints(db)).permissions.filter(({ code }) => holds(permissions, code));
}

/** The routes of `/api/permissions`. */
export function permissionRoutes({ db, session }: RouteDependencies) {
	const answerPolicy = taggedBy((policy: PermissionPolicy) => policyVersion(db, policy));
	return new Elysia({ prefix: '/api/permissions' })
		.use(session)
		.get(
			'/me',
			({ actor: { permissions } }) => success({ permissions: inOrder(db, permissions), menus: menusFor(permissions) }),
			{
				transform: permitDespite('SECOND_FACTOR'),
				response: { 200: Success(OwnPermissions), ...protectedFailures() },
				...doc('getOwnPermissions', 'Get your own permissions and menus'),
			},
		)
		.get('/me/definitions', ({ actor }) => success(definitionsOf(db, actor)), {
			transform: permitDespite('SECOND_FACTOR'),
			response: { 200: Success(Type.Array(PermissionDefinition)), ...protectedFailures() },
			...doc('listOwnPermissionDefinitions', 'List the permission points that you hold, with their texts'),
		})
		.get('/policies', () => success(listPolicies(db)), {
			transform: permit('permission:view'),
			response: { 200: Success(Type.Array(PermissionPolicy)), ...protectedFailures() },
			...doc('listPermissionPolicies', 'List the permissions of each role, the super administrator first'),
		})
		.get('/definitions', () => success(catalogWith(chainPoints(db))), {
			transform: permit('permission:view'),
			response: { 200: Success(PermissionDefinitions), ...protectedFailures() },
			...doc('getPermissionDefinitions', 'Get the assignable permission points'),
		})
		.get('/roles/:roleId', ({ params, set }) => answerPolicy(set, getPolicy(db, params.roleId)), {
			transform: permit('permission:view'),
			params: RolePath,
			response: { 200: Tagged(PermissionPolicy), ...protectedFailures(404) },
			...doc('getRolePermissions', 'Get the permissions of a role'),
		})
		.put(
			'/roles/:roleId',
			({ caller, params, body, set }) => answerPolicy(set, replacePermissions(db, caller, params.roleId, body)),
			{
				transform: permit('permission:manage'),
				params: RolePath,
				...conditional,
				...jsonBody(ReplacePermissions),
				response: { 200: Tagged(PermissionPolicy), ...protectedFailures(404, 412, 413, 503) },
				...doc(
					'replaceRolePermissions',
					"Replace a role's permissions",
					"The submitted codes replace the role's present codes; codes that they depend on are added. " +
						'A caller with permission:manage can grant any code, so it is as powerful as an administrator.',
				),
			},
		)
		.get('/points', () => success(listPoints(db)), {
			transform: permit('permission:view'),
			response: { 200: Success(Type.Array(Point)), ...protectedFailures() },
			...doc('listPermissionPoints', "List the chain's own permission points"),
		})
		.get('/points/:id', ({ params, set }) => answerPoint(set, getPoint(db, params.id)), {
			transform: permit('permission:view'),
			params: idPath(1),
			response: { 200: Tagged(Point), ...protectedFailures(404) },
			...doc('getPermissionPoint', 'Get a permission point of the chain'),
		})
		.post('/points', ({ caller, body, set, status }) => status(201, answerPoint(set, createPoint(db, caller, body))), {
			transform: permit('permission:manage'),
			...jsonBody(CreatePoint),
			response: { 201: Tagged(Point), ...protectedFailures(409, 413, 503) },
			...doc(
				'createPermissionPoint',
				'Create a permission point for programs of the chain, such as tills',
				'No role holds it yet. All points of a group share one title: without one, an existing group keeps its title, ' +
					`and a new group is named by the part before the colon. With ${maxPoints} points it answers 400.`,
			),
		})
		.patch(
			'/points/:id',
			({ caller, params, body, set }) => answerPoint(set, updatePoint(db, caller, params.id, body)),
			{
				...managePoint,
				...jsonBody(UpdatePoint),
				response: { 200: Tagged(Point), ...protectedFailures(404, 412, 413, 503) },
				...doc(
					'updatePermissionPoint',
					'Update a permission point of the chain',
					'A new group title applies to all points of the group.',
				),
			},
		)
		.delete('/points/:id', ({ caller, params, status }) => status(204, deletePoint(db, caller, params.id)), {
			...managePoint,
			response: { ...noContent, ...protectedFailures(404, 409, 412, 503) },
			...doc(
				'deletePermissionPoint',
				'Delete a permission point of the chain, and revoke it from all roles and programs',
			),
		});
}
