import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Overview } from '../../features/overview/model.ts';
import type { Program } from '../../features/programs/model.ts';
import { historyCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { Loaded } from '../page/loaded.tsx';
import { endsSoon, programs } from '../permissions/program-queries.ts';
import { FirstSteps } from './first-steps.tsx';
import { Attention, Movements } from './news.tsx';

const overview = queryOptions({ queryKey: ['overview'], queryFn: () => answer(api.overview.get()) });

/** What needs the owner of a chain today, the approaching ends and the week. */
export default function OverviewPage() {
	const { can } = useOwn();
	const { data: all = [] } = useQuery({ ...programs, enabled: can('permission:view') });
	return (
		<Loaded query={useQuery(overview)}>
			{(data) => (
				<>
					<h1>今天</h1>
					<FirstSteps overview={data} />
					{data.employees.ACTIVE + data.employees.INACTIVE > 0 && (
						<>
							<Attention overview={data} programs={all} />
							<Ending ending={data.ending} programs={all.filter(endsSoon)} />
							<Movements {...data} />
						</>
					)}
				</>
			)}
		</Loaded>
	);
}

/** The employees, roles and programs whose last day is within 14 days. */
function Ending({ ending: { total, items }, programs }: Pick<Overview, 'ending'> & { programs: readonly Program[] }) {
	const { can } = useOwn();
	const count = total + programs.length;
	if (count === 0) return null;
	return (
		<>
			<h2>14 天内到期（{count.toLocaleString('zh-CN')}）</h2>
			<ul className="news">
				{programs.map(({ id, name, endsOn }) => (
					<li key={id}>
						<Link href="/roles/programs" className="row-link">
							接入程序“{name}”的有效期至 {endsOn.slice(5)} <span aria-hidden>→</span>
						</Link>
					</li>
				))}
				{items.map(({ on, employeeId, name, storeName, roleId, roleName }) => (
					<li key={`${employeeId} ${roleId}`}>
						<Link href={`/employees/${employeeId}`} className="row-link">
							{name}（{storeName}）{roleName === null ? '的最后工作日是' : `的角色“${roleName}”到期日是`} {on.slice(5)}{' '}
							<span aria-hidden>→</span>
						</Link>
					</li>
				))}
				{total > items.length && <li className="absent">以及更晚的 {total - items.length} 项</li>}
			</ul>
			{can(historyCode) && <p className="absent">到期当天结束后由系统自动处理，操作记录中可以查到。</p>}
		</>
	);
}
