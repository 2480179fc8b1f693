import type { Employee, EmployeeAccess } from '../../employees/model.ts';

/**
 * Where somebody can sign in, and why not elsewhere. Without `doors`, which not everybody may know, it says nothing of the
 * back office.
 */
export function accessSentence(
	{ status, storeStatus, storeName }: Pick<Employee, 'status' | 'storeStatus' | 'storeName'>,
	doors: EmployeeAccess['doors'] | undefined,
): string {
	const reasons = [
		...(status === 'INACTIVE' ? ['账号已禁用'] : []),
		...(storeStatus === 'INACTIVE' ? [`门店“${storeName}”已禁用`] : []),
	];
	if (reasons.length > 0) return `不能登录：${reasons.join('，')}`;
	const backOffice = doors?.find(({ door }) => door === 'BACK_OFFICE');
	if (!backOffice) return '可以登录员工端';
	return backOffice.allowed ? '可以登录员工端和后台' : '可以登录员工端；不能登录后台：没有后台权限';
}
