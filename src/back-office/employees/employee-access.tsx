import { queryOptions, useQuery } from '@tanstack/react-query';
import { Alert, Skeleton, Tag } from 'antd';
import { answer, api } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { Facts } from '../page/facts.tsx';

function accessOf(id: number) {
	return queryOptions({
		queryKey: ['employees', `${id}`, 'access'],
		queryFn: () => answer(api.employees({ id }).access.get()),
	});
}

const scopeWords: Record<string, string> = {
	'all stores': '全部门店',
	'by permission point': '按权限点',
	'current store': '仅本门店',
	'no back-office menu by default': '没有后台菜单',
};

const doorWords: Record<string, string> = { BACK_OFFICE: '登录后台', EMPLOYEE: '登录员工端' };

/** What somebody may do and why, and where they can sign in. */
export function EmployeeAccess({ id }: { id: number }) {
	const { data, error } = useQuery(accessOf(id));
	if (error && !data) return <RefusalAlert refusal={asRefusal(error)} />;
	if (!data) return <Skeleton active />;
	return (
		<section aria-label="权限说明">
			<h2>权限说明</h2>
			{data.passwordIsInitial && <Alert type="warning" showIcon className="refusal" title="仍在使用初始密码" />}
			<Facts
				items={{
					范围: scopeWords[data.scope] ?? data.scope,
					...Object.fromEntries(
						data.doors.map(({ door, ...entry }) => [doorWords[door] ?? door, <Entry key={door} {...entry} />]),
					),
				}}
			/>
			<table className="changes">
				<thead>
					<tr>
						<th scope="col">权限点</th>
						<th scope="col">来自角色</th>
					</tr>
				</thead>
				<tbody>
					{data.permissions.map(({ code, title, held, roles }) => (
						<tr key={code}>
							<th scope="row">{title}</th>
							<td>{held ? roles.map(({ name }) => name).join('、') : <span className="absent">没有</span>}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

function Entry({ allowed, message }: { allowed: boolean; message: string | null }) {
	return allowed ? <Tag color="success">可以</Tag> : message;
}
