import { type Static, Type } from '@sinclair/typebox';
import { body, described, shape, timestamp, uniqueName } from '../../platform/http/fields.ts';
import { nullableTimestamp } from '../../platform/http/reply.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { oneTimePassword } from '../auth/model.ts';

/** The maximum number of super administrators. */
export const maxAdministrators = 20;

/** Messages to end users about super administrators. */
export const administratorMessages = {
	notFound: because('not_found', '超级管理员不存在'),
	usernameTaken: because('not_unique', '用户名已存在'),
	isPhone: because('is_phone', '用户名不能是手机号'),
	limitReached: because('limit_reached', `超级管理员数量已达上限（${maxAdministrators} 个）`, {
		limit: maxAdministrators,
	}),
	ownAccount: because('own_account', '不能删除自己的账号，请其他超级管理员操作'),
} as const;

/** The body of POST /api/administrators. */
export const CreateAdministrator = body('CreateAdministrator', 'The new super administrator.', {
	username: uniqueName(50, 'owner', 'Not a mobile number.'),
});
export type CreateAdministrator = Static<typeof CreateAdministrator>;

/** A super administrator, as the others see it. */
export const Administrator = shape('Administrator', {
	id: Type.Integer({ examples: [2] }),
	username: Type.String({ examples: ['owner'] }),
	createdAt: timestamp({ description: 'The time of creation, in UTC with milliseconds.' }),
	lastSignInAt: nullableTimestamp('The time of the last sign-in; null: never.'),
	hasSecondFactor: Type.Boolean(described('Whether signing in requires a code.', false)),
});
export type Administrator = Static<typeof Administrator>;

/** A new super administrator with its one-time password, which is shown only once. */
export const NewAdministrator = shape('NewAdministrator', { ...Administrator.properties, ...oneTimePassword });
export type NewAdministrator = Static<typeof NewAdministrator>;
