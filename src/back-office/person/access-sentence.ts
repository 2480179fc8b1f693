import type { Employee, EmployeeAccess } from '../../features/employees/model.ts';

type Account = Pick<Employee, 'status' | 'storeStatus' | 'storeName' | 'passwordIsInitial'>;

/** Where somebody can sign in, and why not elsewhere. Without `doors`, which not everybody may know, it says so. */
export function accessSentence(
	{ status, storeStatus, storeName, passwordIsInitial }: Account,
	doors: EmployeeAccess['doors'] | undefined,
): string {
	const reasons = [
		...(status === 'INACTIVE' ? ['账号已禁用'] : []),
		...(storeStatus === 'INACTIVE' ? [`门店“${storeName}”已禁用`] : []),
	];
	if (reasons.length > 0) return `不能登录：${reasons.join('，')}`;
	const at = (name: string) => doors?.find(({ door }) => door === name);
	const refusal = at('EMPLOYEE')?.message;
	if (refusal) return `不能登录：${refusal}`;
	const backOffice = at('BACK_OFFICE');
	if (!backOffice) return `${passwordIsInitial ? '账号已启用' : '可以登录员工端'}（后台权限您看不到）`;
	return backOffice.allowed ? '可以登录员工端和后台' : '可以登录员工端；不能登录后台：没有后台权限';
}
