import { type Static, Type } from '@sinclair/typebox';
import { body, password, text } from '../http/fields.ts';
import { nullableTimestamp } from '../http/reply.ts';

/** Messages to end users. */
export const secondFactorMessages = {
	codeMissing: '请输入动态验证码',
	wrongCode: '动态验证码不正确',
	wrongPassword: '密码错误',
	alreadyEnabled: '已开启两步验证',
	notStarted: '请先获取两步验证的密钥',
	notEnabled: '未开启两步验证',
	ownAccount: '请在自己的账号中关闭两步验证',
	unreadable: '暂时无法核对动态验证码，请使用恢复码，或联系管理员',
} as const;

/** A code in a request. Case, spaces and dashes do not matter. */
export const code = text(50, {
	description: 'The six digits that the app shows now, or a recovery code. 1 to 50 characters after trimming.',
	examples: ['287082'],
});

/** The body of POST /api/auth/me/second-factor. */
export const StartSecondFactor = body(
	'StartSecondFactor',
	{ password: password('The current password.') },
	'The current password.',
);

/** The body of PUT /api/auth/me/second-factor. */
export const EnableSecondFactor = body('EnableSecondFactor', { code }, 'The first code.');

/** The body of DELETE /api/auth/me/second-factor. */
export const DisableSecondFactor = body(
	'DisableSecondFactor',
	{ password: password('The current password.'), code },
	'The current password and a code.',
);

/** What GET /api/auth/me/second-factor answers. */
export const SecondFactor = Type.Object(
	{
		enabledAt: nullableTimestamp('Since when signing in asks for a code; null while it does not.'),
		recoveryCodesLeft: Type.Integer({ description: 'How many recovery codes are not used yet.', examples: [10] }),
	},
	{ title: 'SecondFactor' },
);
export type SecondFactor = Static<typeof SecondFactor>;

/** What POST /api/auth/me/second-factor answers. */
export const SecondFactorKey = Type.Object(
	{
		secret: Type.String({
			description: 'What the app is given to make codes from, in base32.',
			examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
		}),
		uri: Type.String({
			description: 'The same for a QR code.',
			examples: ['otpauth://totp/Access:13800138000?issuer=Access&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
		}),
	},
	{ title: 'SecondFactorKey' },
);
export type SecondFactorKey = Static<typeof SecondFactorKey>;

/** What PUT /api/auth/me/second-factor answers. */
export const RecoveryCodes = Type.Object(
	{
		recoveryCodes: Type.Array(Type.String(), {
			description: 'Each signs in once, in place of a code. They are shown only here.',
			examples: [['K7M3-9QTX-2FHB-4WND']],
		}),
	},
	{ title: 'RecoveryCodes' },
);
