/** The refusals of sign-ins, and those before a route's own work begins. The messages are for end users. */
import { AppError, businessError, type ErrorCode } from '../../platform/vocabulary/errors.ts';
import type { RefusalReason } from '../../platform/vocabulary/history.ts';
import { type AskedPermission, titleOf } from '../../platform/vocabulary/permissions.ts';
import { because, type Reason, type ReasonCode } from '../../platform/vocabulary/reasons.ts';
import type { EmployeeStatus, StoreStatus } from '../../platform/vocabulary/status.ts';

type TokenReason = Extract<ReasonCode, `token_${string}` | `key_${string}` | 'account_gone'>;

/** The refusal without a genuine, unexpired token of an active account. Only the holder of a genuine one learns more. */
export function notSignedIn(reason: TokenReason): AppError {
	return businessError('UNAUTHORIZED', 'headers.authorization', because(reason, '未登录或登录已失效'));
}

/** The refusal of a caller who may not do this, with the reason. */
export function forbidden(reason: Reason): AppError {
	const details = [{ path: 'account.permissions', ...reason }];
	return new AppError('FORBIDDEN', { ...reason, message: '没有权限执行此操作' }, { details });
}

/** The refusal without any of these permissions. */
export function lacksPermission(permissions: readonly [AskedPermission, ...AskedPermission[]]): AppError {
	const [permission, ...others] = permissions;
	const message = `需要权限${permissions.map((code) => `“${titleOf(code)}”`).join('或')}`;
	if (others.length === 0) return forbidden(because('missing_permission', message, { permission }));
	return forbidden(because('missing_any_permission', message, { permissions }));
}

/** The reason why a program may not do something that only people may do. */
export const peopleOnly = because('not_for_programs', '接入程序不能执行此操作');

/** The refusal of a program at a route for people. */
export const notForPrograms = () => forbidden(peopleOnly);

/** A step that an account must take before anything else. */
export type Restriction = 'OWN_PASSWORD' | 'SECOND_FACTOR';

const wrongCredentials = ['UNAUTHORIZED', undefined, because('wrong_credentials', '用户名或密码错误')] as const;

/** The reasons for refusing a sign-in, except too many attempts. */
export type SignInReason = Exclude<RefusalReason, 'TOO_MANY_ATTEMPTS' | 'WRONG_KEY' | 'VARIOUS'>;

const expired = '一次性密码已过期，请联系为您开通账号的同事或管理员';

const refusals = {
	OWN_PASSWORD: ['FORBIDDEN', 'account.password', because('own_password_required', '请先设置自己的密码')],
	SECOND_FACTOR: ['FORBIDDEN', 'account.secondFactor', because('second_factor_required', '请先开启两步验证')],
	ACCOUNT_DISABLED: ['UNAUTHORIZED', 'account.status', because('account_disabled', '账号已被禁用')],
	STORE_DISABLED: ['UNAUTHORIZED', 'store.status', because('store_disabled', '所属门店已被禁用')],
	UNKNOWN_ACCOUNT: wrongCredentials,
	WRONG_PASSWORD: wrongCredentials,
	PASSWORD_EXPIRED: ['UNAUTHORIZED', 'account.password', because('password_expired', expired)],
	NO_BACK_OFFICE: ['UNAUTHORIZED', 'account.permissions', because('no_back_office', '当前账号没有后台登录权限')],
	CODE_MISSING: ['UNAUTHORIZED', 'body.code', because('second_factor_code_required', '请输入动态验证码')],
	WRONG_CODE: ['UNAUTHORIZED', 'body.code', because('wrong_code', '动态验证码错误')],
} as const satisfies Record<Restriction | SignInReason, readonly [ErrorCode, string | undefined, Reason]>;

/** The refusal of an account that is restricted or may not sign in. */
export function refusalFor(name: keyof typeof refusals): AppError {
	const [code, path, reason] = refusals[name];
	return path === undefined ? new AppError(code, reason) : businessError(code, path, reason);
}

/** The reason of a refusal. */
export const reasonOf = (name: keyof typeof refusals): Reason => refusals[name][2];

/** The reason that an account cannot sign in now; undefined when it can. */
export function disabledReason({ status, storeStatus }: { status: EmployeeStatus; storeStatus: StoreStatus }) {
	if (status !== 'ACTIVE') return 'ACCOUNT_DISABLED';
	return storeStatus === 'ACTIVE' ? undefined : 'STORE_DISABLED';
}
