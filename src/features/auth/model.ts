import { type Static, Type } from '@sinclair/typebox';
import { Reach } from '../../identity/rights/model.ts';
import { code } from '../../identity/second-factor/model.ts';
import {
	beyondExamples,
	body,
	choice,
	described,
	oneOf,
	parameters,
	password,
	shape,
	text,
	timestamp,
} from '../../platform/http/fields.ts';
import { accountTypes } from '../../platform/vocabulary/accounts.ts';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { RoleSummary } from '../roles/model.ts';

/** Messages to end users about signing in and passwords. */
export const authMessages = {
	wrongOldPassword: because('wrong_password', '原密码错误'),
	sharedPassword: because('shared_password', '这个密码不止一个人知道，请换一个'),
	sameAsOneTime: because('same_password', '新密码不能与一次性密码相同'),
	shiftOver: because('renewal_over', '登录已满 12 小时，请重新登录'),
	noSignIn: because('not_found', '登录不存在或已结束'),
} as const;

const trueOrAbsent = (description: string) => beyondExamples(Type.Optional(Type.Boolean(described(description, true))));

/** The signed-in account. */
export const AuthUser = shape('AuthUser', {
	id: Type.Integer({ examples: [1] }),
	username: Type.String(described("The super administrator's username, or the employee's phone.", '13800138000')),
	displayName: Type.String({ examples: ['王芳'] }),
	accountType: oneOf(accountTypes, described('The super administrator, or an employee.', 'EMPLOYEE')),
	storeId: Type.Optional(Type.Integer(described('Employees only.', 1))),
	storeName: Type.Optional(Type.String(described('Employees only.', '人民路店'))),
	roles: Type.Array(RoleSummary),
	permissions: Type.Array(
		Type.String(),
		described("The account's permission codes; the super administrator holds *.", ['employee:view:store']),
	),
	canManage: Type.Boolean(described('Whether the account may change anything.', false)),
	mustSetPassword: trueOrAbsent(
		'True after a one-time password, else absent: all else waits for a password of their own.',
	),
	mustEnableSecondFactor: trueOrAbsent('True where a second factor is missing, else absent: all else waits for it.'),
	session: beyondExamples(
		Type.Optional(
			Type.Object(
				{
					expiresAt: timestamp({ description: 'The end of the token.' }),
					renewableUntil: timestamp({ description: 'The time until which the token can be renewed.' }),
				},
				{ description: 'Only with include=session.' },
			),
		),
	),
	reach: beyondExamples(Type.Optional(Reach)),
});
export type AuthUser = Static<typeof AuthUser>;

/** The body of every sign-in. */
export const Credentials = body('Credentials', 'The username and password of the account.', {
	username: text(50, '13800138000', "The super administrator's username or an employee's phone."),
	password: password('8 to 128 characters, exactly as set.'),
	code: beyondExamples(Type.Optional(code)),
	client: beyondExamples(Type.Optional(text(50, '收银台 2', "The client's name in the list of sign-ins."))),
});
export type Credentials = Static<typeof Credentials>;

/** The fields of an answer with a one-time password. */
export const oneTimePassword = {
	password: Type.String(
		described('Shown only once, and not stored. Case, blanks and dashes do not matter.', 'K7M3Q-9TX2F'),
	),
	expiresAt: timestamp({ description: 'The time at which it expires: after seven days.' }),
};

/** The body of PATCH /api/employees/:id/password, PATCH /api/auth/me/password and POST /openid/password. */
export const ChangePassword = body('ChangePassword', 'The old and the new password.', {
	oldPassword: password('The current password.'),
	newPassword: password('The new password, 8 to 128 characters.', 'staple-battery-horse'),
});
export type ChangePassword = Static<typeof ChangePassword>;

/** The query of a sign-in. */
export const SignInQuery = parameters({
	include: choice(['session'], 'Adds the times of the token to the account.'),
});
export type SignInQuery = Static<typeof SignInQuery>;

/** The answer of a login and of a change of the caller's own password. */
export const SignIn = shape('SignIn', {
	token: Type.String({
		description: 'Send it in the header Authorization: Bearer <token>.',
		examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJFTVBMT1lFRToxIn0.c2lnbmF0dXJl'],
	}),
	tokenType: Type.Literal('Bearer'),
	expiresIn: Type.Literal(tokenLifetime.code),
	user: AuthUser,
});
export type SignIn = Static<typeof SignIn>;
