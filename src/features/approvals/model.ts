import { type Static, Type } from '@sinclair/typebox';
import { body, parameters, text } from '../../platform/http/fields.ts';
import { described, oneOf, shape, timestamp } from '../../platform/http/schema-types.ts';

/** Messages to end users about approvals. */
export const approvalMessages = {
	noOwnPoint: '须为自定义权限的编码',
	wrongCode: '授权码无效',
	notHeld: '授权人没有此权限',
} as const;

const asText = (description: string, example: string) =>
	Type.String({ error: '须为文字', description, examples: [example] });

/** The body of POST /api/approvals. */
export const RequestApproval = body('RequestApproval', 'What is asked for, and the code of who approves it.', {
	permission: asText("The code of one of the chain's own points.", 'till:refund'),
	subject: text(
		100,
		described('What it is for, such as an order number: 1 to 100 characters after trimming.', 'A-1024'),
	),
	approver: asText('The mobile number of who approves.', '13800138000'),
	code: asText('The six digits that they see now, or saw a minute ago.', '287082'),
});
export type RequestApproval = Static<typeof RequestApproval>;

const person = (description: string, name: string) =>
	Type.Object({ id: Type.Integer({ examples: [1] }), name: Type.String({ examples: [name] }) }, { description });

/** An approval, as the history has it. */
export const Approval = shape('Approval', {
	id: Type.Integer(described('The id of its record in the history.', 4711)),
	at: timestamp({ description: 'When it was given, in UTC with milliseconds.' }),
	permission: Type.String({ examples: ['till:refund'] }),
	title: Type.Optional(Type.String(described('What the point was called then.', '退款'))),
	subject: Type.String({ examples: ['A-1024'] }),
	requestedBy: person('Who asked.', '李伟'),
	approvedBy: person('Whose code it was.', '王芳'),
});
export type Approval = Static<typeof Approval>;

/** The query of GET /api/auth/me/approvals. */
export const ApprovalsQuery = parameters({
	include: oneOf(['title'], { error: '须为 title', description: 'Adds what each point is called.' }),
});

/** What GET /api/auth/me/approval-code answers. */
export const ApprovalCode = shape('ApprovalCode', {
	code: Type.String(described('Six digits, good for one approval.', '287082')),
	validFor: Type.Integer(described('The seconds until the next one is shown; this one is taken a minute longer.', 42)),
});
export type ApprovalCode = Static<typeof ApprovalCode>;
