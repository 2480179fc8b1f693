import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { permitDespite, permitEmployees, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody, maxPasswordBody } from '../../platform/http/body.ts';
import { idPath } from '../../platform/http/fields.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { Approval, ApprovalCode, ApprovalsQuery, RequestApproval, SubjectQuery } from './model.ts';
import {
	type ApprovalDependencies,
	findRepeated,
	getApproval,
	getApprovalCode,
	listApprovalsOf,
	listOwnApprovals,
	requestApproval,
} from './service.ts';

const shownTo =
	'Shown to the requester, the approver, and each account or program that holds the permission and is not limited to other stores.';

/** The routes for requesting an approval from an employee with more rights. */
export function approvalRoutes({ session, ...dependencies }: ApprovalDependencies & RouteDependencies) {
	return new Elysia({ prefix: '/api' })
		.use(session)
		.get('/auth/me/approval-code', ({ caller }) => success(getApprovalCode(dependencies, caller)), {
			transform: permitEmployees(),
			response: { 200: Success(ApprovalCode), ...protectedFailures() },
			...doc('getApprovalCode', 'Get your own approval code', "403 without one of the chain's own points."),
		})
		.get('/auth/me/approvals', ({ actor, query }) => success(listOwnApprovals(dependencies.db, actor, query)), {
			transform: permitEmployees(),
			query: ApprovalsQuery,
			response: { 200: Success(Type.Array(Approval)), ...protectedFailures() },
			...doc('listOwnApprovals', 'List the newest 20 approvals that you gave'),
		})
		.post(
			'/approvals',
			({ caller, body, status }) => {
				const repeated = findRepeated(dependencies, caller, body);
				if (repeated) return status(200, success(repeated));
				return status(201, success(requestApproval(dependencies, caller, body)));
			},
			{
				transform: permitEmployees(),
				...jsonBody(RequestApproval, maxPasswordBody),
				response: {
					200: Success(Approval, { description: 'The first approval of the same request.' }),
					201: Success(Approval, { description: 'A new approval.' }),
					...protectedFailures(413, 429, 503),
				},
				...doc(
					'requestApproval',
					'Get an approval with the code of an employee with more rights',
					'One code makes one approval. 403 at body.code: the code is wrong or was used, or its owner cannot approve ' +
						'anything. 403 at body.permission: the approver lacks this point, or neither works in your store nor reaches it; the ' +
						'code stays valid. The same request again, while the code lives, answers the first approval with 200.',
				),
			},
		)
		.get('/approvals', ({ actor, query }) => success(listApprovalsOf(dependencies.db, actor, query.subject ?? '')), {
			transform: permitDespite(),
			query: SubjectQuery,
			response: { 200: Success(Type.Array(Approval)), ...protectedFailures(404) },
			...doc('listApprovals', 'List the newest 20 approvals of a subject', `${shownTo} 404 without any.`),
		})
		.get('/approvals/:id', ({ actor, params }) => success(getApproval(dependencies.db, actor, params.id)), {
			transform: permitDespite(),
			params: idPath(4711),
			response: { 200: Success(Approval), ...protectedFailures(404) },
			...doc('getApproval', 'Get an approval', `${shownTo} 404 for others.`),
		});
}
