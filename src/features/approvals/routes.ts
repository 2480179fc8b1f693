import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { permitEmployees, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody, maxPasswordBody } from '../../platform/http/body.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { Approval, ApprovalCode, ApprovalsQuery, RequestApproval } from './model.ts';
import { type ApprovalDependencies, getApprovalCode, listOwnApprovals, requestApproval } from './service.ts';

/** The routes for requesting an approval from an employee with more rights. */
export function approvalRoutes({ session, ...dependencies }: ApprovalDependencies & RouteDependencies) {
	return new Elysia({ prefix: '/api', detail: { tags: ['Approvals'] } })
		.use(session)
		.get('/auth/me/approval-code', ({ caller }) => success(getApprovalCode(dependencies, caller)), {
			transform: permitEmployees(),
			response: { 200: Success(ApprovalCode), ...protectedFailures() },
			...doc('getApprovalCode', 'Get your own approval code', "For employees who hold one of the chain's own points."),
		})
		.get('/auth/me/approvals', ({ actor, query }) => success(listOwnApprovals(dependencies.db, actor, query)), {
			transform: permitEmployees(),
			query: ApprovalsQuery,
			response: { 200: Success(Type.Array(Approval)), ...protectedFailures() },
			...doc('listOwnApprovals', 'List the newest 20 approvals that you gave'),
		})
		.post(
			'/approvals',
			({ caller, body, status }) => status(201, success(requestApproval(dependencies, caller, body))),
			{
				transform: permitEmployees(),
				...jsonBody(RequestApproval, maxPasswordBody),
				response: { 201: Success(Approval), ...protectedFailures(413, 429, 503) },
				...doc(
					'requestApproval',
					'Get an approval with the code of an employee with more rights',
					'One code makes one approval. 403 at body.code: the code is wrong or was used, or its owner cannot approve ' +
						'anything. 403 at body.permission: the approver lacks this point or does not reach your store; the ' +
						'code stays valid.',
				),
			},
		);
}
