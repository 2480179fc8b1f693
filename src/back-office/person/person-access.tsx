import { useQuery } from '@tanstack/react-query';
import { Skeleton, Tag } from 'antd';
import { Link } from 'wouter';
import type { Employee, EmployeeAccess } from '../../employees/model.ts';
import { useOwn } from '../account/own.ts';
import { asRefusal } from '../api/refusal.ts';
import { initialPasswordLabel } from '../employees/attention-filter.tsx';
import { accessOf, useMayChange } from '../employees/employee-queries.ts';
import { FormButton } from '../forms/form-button.tsx';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { accessSentence } from './access-sentence.ts';
import { RoleUntilForm } from './role-until-form.tsx';

/** Where somebody can sign in, and what each of their roles gives them, as far as the account may know. */
export function PersonAccess({ employee }: { employee: Employee }) {
	const mayExplain = useOwn().can('permission:view');
	const mayChange = useMayChange(employee);
	const { data: access, error } = useQuery({ ...accessOf(employee.id), enabled: mayExplain });
	if (mayExplain && !access) return error ? <RefusalAlert refusal={asRefusal(error)} /> : <Skeleton active />;
	return (
		<section aria-label="权限" className="access">
			<p>
				<strong>{accessSentence(employee, access?.doors)}</strong>
				{access?.passwordIsInitial && <Tag color="warning">{initialPasswordLabel}</Tag>}
			</p>
			{employee.roles.length === 0 ? (
				<p className="absent">还没有角色</p>
			) : (
				<dl>
					{employee.roles.map((role) => (
						<div key={role.id}>
							<dt>
								<RoleName role={role} />
								{endOf(employee, role.id)}
							</dt>
							{access && <dd>{titlesFrom(access, role.id) || <span className="absent">没有后台权限</span>}</dd>}
						</div>
					))}
				</dl>
			)}
			{access?.scope === 'current store' && <p className="absent">只限本门店</p>}
			{mayChange && (
				<FormButton size="small" form={<RoleUntilForm employee={employee} />}>
					限期角色
				</FormButton>
			)}
		</section>
	);
}

/** Until when they hold a role, if it ends. */
function endOf({ roleEnds = [] }: Employee, id: number) {
	const end = roleEnds.find(({ roleId }) => roleId === id)?.until;
	return end && <small className="absent"> 到 {end}</small>;
}

function RoleName({ role: { id, name } }: { role: Employee['roles'][number] }) {
	return useOwn().can('role:view') ? <Link href={`/roles/${id}`}>{name}</Link> : name;
}

/** What they have from a role. */
function titlesFrom({ permissions }: EmployeeAccess, roleId: number): string {
	const given = permissions.filter(({ roles }) => roles.some(({ id }) => id === roleId));
	return given.map(({ title }) => title).join('、');
}
