import type { Employee, EmployeeAccess } from '../../features/employees/model.ts';
import type { EmployeeStatus, StoreStatus } from '../../platform/vocabulary/status.ts';

type Account = Pick<Employee, 'status' | 'storeStatus' | 'storeName' | 'passwordIsInitial'>;

/** The reason why an employee of a status cannot sign in. */
const accountObstacles = { ACTIVE: undefined, INACTIVE: '账号已禁用' } as const satisfies Record<
	EmployeeStatus,
	string | undefined
>;
const storeObstacles = { ACTIVE: undefined, INACTIVE: '已禁用' } as const satisfies Record<
	StoreStatus,
	string | undefined
>;

/** Where somebody can sign in, and why not elsewhere. Without `doors`, which not everybody may know, it says so. */
export function accessSentence(
	{ status, storeStatus, storeName, passwordIsInitial }: Account,
	doors: EmployeeAccess['doors'] | undefined,
): string {
	const reasons = [
		accountObstacles[status],
		storeObstacles[storeStatus] && `门店“${storeName}”${storeObstacles[storeStatus]}`,
	].filter((reason) => reason !== undefined);
	if (reasons.length > 0) return `不能登录：${reasons.join('，')}`;
	const at = (name: string) => doors?.find(({ door }) => door === name);
	const refusal = at('EMPLOYEE')?.message;
	if (refusal) return `不能登录：${refusal}`;
	const backOffice = at('BACK_OFFICE');
	if (!backOffice) return `${passwordIsInitial ? '账号已启用' : '可以登录员工端'}（后台权限您看不到）`;
	return backOffice.allowed ? '可以登录员工端和后台' : '可以登录员工端；不能登录后台：没有后台权限';
}
