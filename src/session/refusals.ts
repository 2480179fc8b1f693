/** The refusals before a route's own work begins. Their messages are for end users. */
import { AppError, ruleBroken } from '../vocabulary/errors.ts';
import type { Status } from '../vocabulary/status.ts';

/** Without a token that is genuine, not expired and of a live account. */
export function notSignedIn(): AppError {
	return new AppError('UNAUTHORIZED', '未登录或登录已失效');
}

/** Without the permission that a route asks for. */
export function forbidden(): AppError {
	return new AppError('FORBIDDEN', '没有权限执行此操作');
}

/** What an account has to do before it may do anything else. */
export type Restriction = 'OWN_PASSWORD' | 'SECOND_FACTOR';

const reasons = {
	OWN_PASSWORD: ['FORBIDDEN', 'account.password', '请先设置自己的密码'],
	SECOND_FACTOR: ['FORBIDDEN', 'account.secondFactor', '请先开启两步验证'],
	ACCOUNT_DISABLED: ['UNAUTHORIZED', 'account.status', '账号已被禁用'],
	STORE_DISABLED: ['UNAUTHORIZED', 'store.status', '所属门店已被禁用'],
} as const;

/** The refusal of an account that has something to do first, that is disabled, or whose store is. */
export function refusalFor(reason: keyof typeof reasons): AppError {
	const [code, path, message] = reasons[reason];
	return ruleBroken(code, path, message);
}

/** What keeps an employee out for as long as it lasts; undefined when nothing does. */
export function disabledReason({ status, storeStatus }: { status: Status; storeStatus: Status }) {
	if (status !== 'ACTIVE') return 'ACCOUNT_DISABLED';
	return storeStatus === 'ACTIVE' ? undefined : 'STORE_DISABLED';
}
