import { type Static, Type } from '@sinclair/typebox';
import {
	beyondExamples,
	body,
	choice,
	described,
	keyword,
	parameters,
	shape,
	text,
	timestamp,
} from '../../platform/http/fields.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** Messages to end users about approvals. */
export const approvalMessages = {
	ownPointNeeded: because('missing_own_point', '拥有自定义权限的账号才有授权码'),
	noOwnPoint: because('permission_not_found', '须为自定义权限的编码'),
	wrongCode: because('wrong_code', '授权码无效'),
	notHeld: because('approver_lacks_permission', '授权人没有此权限'),
	notFound: because('not_found', '授权不存在'),
} as const;

const asText = (description: string, example: string) =>
	Type.String({ error: '须为文字', description, examples: [example] });

/** The body of POST /api/approvals. */
export const RequestApproval = body('RequestApproval', "The permission to use once, and the approver's code.", {
	permission: asText("The code of one of the chain's own points.", 'till:refund'),
	subject: text(100, 'A-1024', 'The subject, such as an order number.'),
	approver: asText("The approver's mobile number.", '13800138000'),
	code: asText("The six digits on the approver's screen, now or a minute ago.", '287082'),
});
export type RequestApproval = Static<typeof RequestApproval>;

const person = (description: string, name: string) =>
	Type.Object({ id: Type.Integer({ examples: [1] }), name: Type.String({ examples: [name] }) }, { description });

/** An approval, as the history has it. */
export const Approval = shape('Approval', {
	id: Type.Integer(described('The id of its record in the history.', 4711)),
	at: timestamp({ description: 'The time of the approval, in UTC with milliseconds.' }),
	permission: Type.String({ examples: ['till:refund'] }),
	title: beyondExamples(Type.Optional(Type.String(described('With include=title: the title at that time.', '退款')))),
	subject: Type.String({ examples: ['A-1024'] }),
	requestedBy: person('The employee who asked.', '李伟'),
	approvedBy: person('The employee who approved.', '王芳'),
});
export type Approval = Static<typeof Approval>;

/** The query of GET /api/auth/me/approvals. */
export const ApprovalsQuery = parameters({ include: choice(['title'], 'Adds the title of each point.') });

/** The query of GET /api/approvals. */
export const SubjectQuery = parameters({ subject: keyword('The subject as it was asked for.', 'A-1024') });

/** The answer of GET /api/auth/me/approval-code. */
export const ApprovalCode = shape('ApprovalCode', {
	code: Type.String(described('Six digits, good for one approval.', '287082')),
	validFor: Type.Integer(
		described('The seconds until the next code is shown; this one is accepted for a minute longer.', 42),
	),
	wrongCodes: Type.Integer(
		described('The wrong codes that were tried with your number in the last 24 hours, counted every ten minutes.', 0),
	),
});
export type ApprovalCode = Static<typeof ApprovalCode>;
