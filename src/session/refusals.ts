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

const restrictionRefusals: Record<Restriction, { path: string; message: string }> = {
	OWN_PASSWORD: { path: 'account.password', message: '请先设置自己的密码' },
	SECOND_FACTOR: { path: 'account.secondFactor', message: '请先开启两步验证' },
};

/** The refusal of everything that has to wait until the account has done it. */
export function restricted(restriction: Restriction): AppError {
	const { path, message } = restrictionRefusals[restriction];
	return ruleBroken('FORBIDDEN', path, message);
}

/** What keeps an account out for as long as it lasts. */
export type DisabledReason = 'ACCOUNT_DISABLED' | 'STORE_DISABLED';

const disabledRefusals: Record<DisabledReason, { path: string; message: string }> = {
	ACCOUNT_DISABLED: { path: 'account.status', message: '账号已被禁用' },
	STORE_DISABLED: { path: 'store.status', message: '所属门店已被禁用' },
};

/** Why an employee is kept out at this moment; undefined when nothing does. */
export function disabledReason({ status, storeStatus }: { status: Status; storeStatus: Status }) {
	if (status !== 'ACTIVE') return 'ACCOUNT_DISABLED' satisfies DisabledReason;
	if (storeStatus !== 'ACTIVE') return 'STORE_DISABLED' satisfies DisabledReason;
	return undefined;
}

/** The refusal of a disabled account, or of one in a disabled store. */
export function disabled(reason: DisabledReason): AppError {
	const { path, message } = disabledRefusals[reason];
	return ruleBroken('UNAUTHORIZED', path, message);
}
