import { type Static, Type } from '@sinclair/typebox';
import { body, described, password, shape, text } from '../../platform/http/fields.ts';
import { nullableTimestamp } from '../../platform/http/reply.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** Messages to end users. */
export const secondFactorMessages = {
	wrongPassword: because('wrong_password', '密码错误'),
	alreadyEnabled: because('second_factor_on', '已开启两步验证'),
	notStarted: because('second_factor_not_started', '请先获取两步验证的密钥'),
	notEnabled: because('second_factor_off', '未开启两步验证'),
	ownAccount: because('own_account', '请在自己的账号中关闭两步验证'),
	unreadable: because('second_factor_unreadable', '暂时无法核对动态验证码，请使用恢复码，或联系管理员'),
} as const;

/** A code in a request. Case, spaces and dashes do not matter. */
export const code = text(50, '287082', 'The six digits that the app shows now, or a recovery code.');

/** The body of POST /api/auth/me/second-factor. */
export const StartSecondFactor = body('StartSecondFactor', 'The current password.', {
	password: password('The current password.'),
});

/** The body of PUT /api/auth/me/second-factor. */
export const EnableSecondFactor = body('EnableSecondFactor', 'The first code.', { code });

const proof = { password: password('The current password.'), code };

/** The body of DELETE /api/auth/me/second-factor. */
export const DisableSecondFactor = body('DisableSecondFactor', 'The current password and a code.', proof);

/** The body of POST /api/auth/me/second-factor/recovery-codes. */
export const RenewRecoveryCodes = body('RenewRecoveryCodes', 'The current password and a code.', proof);

/** The answer of GET /api/auth/me/second-factor. */
export const SecondFactor = shape('SecondFactor', {
	enabledAt: nullableTimestamp('The time since which signing in asks for a code; null while it does not.'),
	recoveryCodesLeft: Type.Integer(described('The number of unused recovery codes.', 10)),
});
export type SecondFactor = Static<typeof SecondFactor>;

/** The answer of POST /api/auth/me/second-factor. */
export const SecondFactorKey = shape('SecondFactorKey', {
	secret: Type.String(
		described('The secret for the authenticator app, in base32.', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
	),
	uri: Type.String({
		description: 'The secret as an address for a QR code.',
		examples: ['otpauth://totp/Access:13800138000?issuer=Access&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
	}),
});
export type SecondFactorKey = Static<typeof SecondFactorKey>;

/** The answer of PUT /api/auth/me/second-factor, and of POST for new recovery codes. */
export const RecoveryCodes = shape('RecoveryCodes', {
	recoveryCodes: Type.Array(
		Type.String(),
		described('Each signs in once, in place of a code. They are shown only here.', ['K7M3-9QTX-2FHB-4WND']),
	),
});
