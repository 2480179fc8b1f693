import { Skeleton, Tag } from 'antd';
import { Link } from 'wouter';
import type { Employee, EmployeeAccess } from '../../features/employees/model.ts';
import { attentionWords } from '../../identity/history/words.ts';
import { useOwn } from '../account/own.ts';
import { asRefusal } from '../api/refusal.ts';
import { useAccess } from '../employees/employee-queries.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { accessSentence } from './access-sentence.ts';
import { roleEnd } from './ending-forms.tsx';

/** An employee's access: a sentence, and the permissions of their roles, as far as the account may see them. */
export function PersonAccess({ employee }: { employee: Employee }) {
	const { can } = useOwn();
	const { data: access, error, isLoading } = useAccess(employee.id);
	if (error && !access) return <RefusalAlert refusal={asRefusal(error)} />;
	if (isLoading) return <Skeleton active />;
	// An employee without a password cannot sign in, and the sentence says so.
	const hasInitialPassword = employee.passwordIsInitial && (access?.doors.some(({ allowed }) => allowed) ?? true);
	const given = Map.groupBy(employee.roles, ({ id }) => titlesFrom(access, id));
	return (
		<section aria-label="权限" className="access">
			<p>
				<strong>{accessSentence(employee, access?.doors)}</strong>
				{hasInitialPassword && <Tag color="warning">{attentionWords.passwordIsInitial}</Tag>}
			</p>
			{employee.roles.length === 0 && <p className="absent">没有角色</p>}
			<dl>
				{Array.from(given, ([titles, roles]) => (
					<div key={titles}>
						<dt>
							{roles.map((role) => (
								<span key={role.id}>
									{can('role:view') ? <Link href={`/roles/${role.id}`}>{role.name}</Link> : role.name}
									{endOf(employee, role.id)}
								</span>
							))}
						</dt>
						{access?.permissions && <dd>{titles || <span className="absent">没有后台权限</span>}</dd>}
					</div>
				))}
			</dl>
			{access?.scope === 'current store' && <p className="absent">只能看到本店和负责的门店的员工</p>}
		</section>
	);
}

function endOf(employee: Employee, id: number) {
	const end = roleEnd(employee, id);
	return end && <small className="absent"> 到 {end}</small>;
}

/** The permissions that an employee has from a role. */
function titlesFrom(access: EmployeeAccess | undefined, roleId: number): string {
	const given = access?.permissions?.filter(({ roles }) => roles.some(({ id }) => id === roleId)) ?? [];
	return given.map(({ title }) => title).join('、');
}
