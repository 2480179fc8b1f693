import type { Employee, EmployeeAccess } from '../../features/employees/model.ts';

/**
 * One sentence: whether an employee can sign in on the employee side and to the back office. Without `doors`, which
 * not every account may see, it says so.
 */
export function accessSentence(
	{ statusTags, passwordIsInitial }: Pick<Employee, 'statusTags' | 'passwordIsInitial'>,
	doors: EmployeeAccess['doors'] | undefined,
): string {
	const at = (name: string) => doors?.find(({ door }) => door === name);
	const refusal = at('EMPLOYEE')?.message ?? statusTags.find(({ code }) => code !== 'EMPLOYEE_ACTIVE')?.label;
	if (refusal) return `不能登录：${refusal}`;
	const backOffice = at('BACK_OFFICE');
	if (!backOffice) return `${passwordIsInitial ? '账号已启用' : '可以登录员工端'}（后台权限您看不到）`;
	return backOffice.allowed ? '可以登录员工端和后台' : '可以登录员工端，没有后台权限';
}
