import { type Static, Type } from '@sinclair/typebox';
import { body, password, text } from '../http/fields.ts';
import { nullableText, oneOf, timestamp } from '../http/schema-types.ts';
import { RoleSummary } from '../roles/model.ts';
import { code } from '../second-factor/model.ts';
import { accountTypes } from '../vocabulary/accounts.ts';

/** Messages to end users. */
export const authMessages = {
	wrongCredentials: '用户名或密码错误',
	noBackOffice: '当前账号没有后台登录权限',
	wrongOldPassword: '原密码错误',
	expiredPassword: '一次性密码已过期，请联系店长',
	sameAsOneTime: '新密码不能与一次性密码相同',
	shiftOver: '登录已满 12 小时，请重新登录',
} as const;

/** The signed-in account. */
export const AuthUser = Type.Object(
	{
		id: Type.Integer({ examples: [1] }),
		username: Type.String({
			description: "The super administrator's username, or the employee's phone.",
			examples: ['13800138000'],
		}),
		displayName: Type.String({ examples: ['王芳'] }),
		accountType: oneOf(accountTypes, {
			description: 'The super administrator, or an employee.',
			examples: ['EMPLOYEE'],
		}),
		storeId: Type.Optional(Type.Integer({ description: 'Employees only.', examples: [1] })),
		storeName: Type.Optional(Type.String({ description: 'Employees only.', examples: ['人民路店'] })),
		roles: Type.Array(RoleSummary),
		permissions: Type.Array(Type.String(), {
			description: 'The codes that the account holds; the super administrator holds *.',
			examples: [['employee:view:store']],
		}),
		canManage: Type.Boolean({
			description: 'Whether the account may change anything.',
			examples: [false],
		}),
	},
	{ title: 'AuthUser' },
);
export type AuthUser = Static<typeof AuthUser>;

/** The body of the three logins. */
export const Credentials = body(
	'Credentials',
	{
		username: text(50, {
			description: "The super administrator's username or an employee's phone, 1 to 50 characters after trimming.",
			examples: ['13800138000'],
		}),
		password: password('8 to 128 characters, exactly as set.'),
		code: Type.Optional(code),
	},
	'Who signs in.',
);
export type Credentials = Static<typeof Credentials>;

/** The body of PATCH /api/employees/:id/password and of PATCH /api/auth/me/password. */
export const ChangePassword = body(
	'ChangePassword',
	{
		oldPassword: password('The current password.'),
		newPassword: password('The new password, 8 to 128 characters.', 'staple-battery-horse'),
	},
	'The old and the new password.',
);
export type ChangePassword = Static<typeof ChangePassword>;

/** What a login answers, and the change of the own password. */
export const SignIn = Type.Object(
	{
		token: Type.String({
			description: 'Goes into the header Authorization: Bearer <token>.',
			examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJFTVBMT1lFRToxIn0.c2lnbmF0dXJl'],
		}),
		tokenType: Type.Literal('Bearer'),
		expiresIn: Type.Literal('2h'),
		user: AuthUser,
	},
	{ title: 'SignIn' },
);
export type SignIn = Static<typeof SignIn>;

/** What GET /api/auth/me/sign-ins answers. */
export const SignIns = Type.Object(
	{
		items: Type.Array(
			Type.Object({
				at: timestamp({ description: 'When, in UTC with milliseconds.' }),
				address: Type.String({ description: 'The IP address that it came from.', examples: ['203.0.113.7'] }),
				client: nullableText({
					description: 'The program and the system that it came from; null when they are not known.',
					examples: ['Chrome · Windows'],
				}),
			}),
			{ description: 'The newest first, at most 20.' },
		),
	},
	{ title: 'SignIns' },
);
export type SignIns = Static<typeof SignIns>;
