/** The refusals of sign-ins, and those before a route's own work begins. The messages are for end users. */
import { AppError, businessError, type ErrorCode } from '../../platform/vocabulary/errors.ts';
import type { RefusalReason } from '../../platform/vocabulary/history.ts';
import type { EmployeeStatus, StoreStatus } from '../../platform/vocabulary/status.ts';

/** The refusal without a genuine, unexpired token of an active account. */
export function notSignedIn(): AppError {
	return new AppError('UNAUTHORIZED', '未登录或登录已失效');
}

/** The refusal without the permission that a route requires. */
export function forbidden(): AppError {
	return new AppError('FORBIDDEN', '没有权限执行此操作');
}

/** A step that an account must take before anything else. */
export type Restriction = 'OWN_PASSWORD' | 'SECOND_FACTOR';

const wrongCredentials = ['UNAUTHORIZED', undefined, '用户名或密码错误'] as const;

/** The reasons for refusing a sign-in, except too many attempts. */
export type SignInReason = Exclude<RefusalReason, 'TOO_MANY_ATTEMPTS' | 'WRONG_KEY' | 'VARIOUS'>;

const refusals = {
	OWN_PASSWORD: ['FORBIDDEN', 'account.password', '请先设置自己的密码'],
	SECOND_FACTOR: ['FORBIDDEN', 'account.secondFactor', '请先开启两步验证'],
	ACCOUNT_DISABLED: ['UNAUTHORIZED', 'account.status', '账号已被禁用'],
	STORE_DISABLED: ['UNAUTHORIZED', 'store.status', '所属门店已被禁用'],
	UNKNOWN_ACCOUNT: wrongCredentials,
	WRONG_PASSWORD: wrongCredentials,
	PASSWORD_EXPIRED: ['UNAUTHORIZED', 'account.password', '一次性密码已过期，请联系为您开通账号的同事或管理员'],
	NO_BACK_OFFICE: ['UNAUTHORIZED', 'account.permissions', '当前账号没有后台登录权限'],
	CODE_MISSING: ['UNAUTHORIZED', 'body.code', '请输入动态验证码'],
	WRONG_CODE: ['UNAUTHORIZED', 'body.code', '动态验证码不正确'],
} as const satisfies Record<Restriction | SignInReason, readonly [ErrorCode, string | undefined, string]>;

/** The refusal of an account that is restricted or may not sign in. */
export function refusalFor(reason: keyof typeof refusals): AppError {
	const [code, path, message] = refusals[reason];
	return path === undefined ? new AppError(code, message) : businessError(code, path, message);
}

/** The message of a refusal. */
export const messageFor = (reason: keyof typeof refusals): string => refusals[reason][2];

/** The reason that an account cannot sign in now; undefined when it can. */
export function disabledReason({ status, storeStatus }: { status: EmployeeStatus; storeStatus: StoreStatus }) {
	if (status !== 'ACTIVE') return 'ACCOUNT_DISABLED';
	return storeStatus === 'ACTIVE' ? undefined : 'STORE_DISABLED';
}
