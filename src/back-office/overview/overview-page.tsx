import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Overview } from '../../features/overview/model.ts';
import type { Program } from '../../features/programs/model.ts';
import { historyCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { Listing, RowLink } from '../page/listing.tsx';
import { Loaded } from '../page/loaded.tsx';
import { numberOf, people, statusTag } from '../page/texts.tsx';
import { endsSoon, programs } from '../permissions/program-queries.ts';
import { FirstSteps, isBeginning } from './first-steps.tsx';
import { Attention, Movements } from './news.tsx';

const overview = queryOptions({ queryKey: ['overview'], queryFn: () => answer(api.overview.get()) });

/** A chain can have thousands of stores. */
const maxShownStores = 20;

/** The overview: attention, approaching ends, the week and the stores. */
export default function OverviewPage() {
	const { can } = useOwn();
	const { data: all = [] } = useQuery({ ...programs, enabled: can('permission:view') });
	return (
		<Loaded query={useQuery(overview)}>
			{(data) => (
				<>
					<h1>概览</h1>
					{isBeginning(data) && <FirstSteps overview={data} />}
					{data.employees.ACTIVE + data.employees.INACTIVE > 0 && (
						<>
							<Attention overview={data} programs={all} />
							<Ending ending={data.ending} programs={all.filter(endsSoon)} />
							<Movements {...data} />
						</>
					)}
					{data.employeesPerStore.length > 0 && <Stores overview={data} />}
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

function Stores({ overview: { stores, employees, employeesPerStore } }: { overview: Overview }) {
	const shown = employeesPerStore
		.map((store) => ({ ...store, trouble: troubleOf(store) }))
		.toSorted((a, b) => Number(!a.trouble) - Number(!b.trouble) || b.employees - a.employees || a.storeId - b.storeId)
		.slice(0, maxShownStores);
	const count = (number: number, unit: string, href: string) => (
		<Link className="in-text" href={href}>
			{numberOf(number)} {unit}
		</Link>
	);
	return (
		<>
			<h2>门店</h2>
			<p className="absent">
				启用 {count(stores.ACTIVE, '家', '/stores?status=ACTIVE')}，禁用{' '}
				{count(stores.INACTIVE, '家', '/stores?status=INACTIVE')}；员工启用{' '}
				{count(employees.ACTIVE, '名', '/employees?status=ACTIVE')}，禁用{' '}
				{count(employees.INACTIVE, '名', '/employees?status=INACTIVE')}
			</p>
			<Listing
				label="门店"
				query={{ data: shown }}
				columns={[
					{
						title: '门店',
						render: ({ storeId, storeName, storeStatus, trouble }) => (
							<span className="tags">
								<RowLink href={`/stores/${storeId}`}>{storeName}</RowLink>
								{statusTag(storeStatus)}
								{trouble && <span className="urgent">{trouble}</span>}
							</span>
						),
					},
					{ title: '员工', render: (store) => `${numberOf(store.employees)} 名`, width: 160 },
				]}
				rowKey={({ storeId }) => storeId}
				empty="还没有门店"
			/>
			{employeesPerStore.length > shown.length && (
				<p>
					<Link href="/stores">查看全部 {numberOf(employeesPerStore.length)} 家门店</Link>
				</p>
			)}
		</>
	);
}

/** The problem of a store, if it has one. */
function troubleOf({ storeStatus, employees, enabled }: Overview['employeesPerStore'][number]): string | undefined {
	if (storeStatus === 'INACTIVE') return enabled > 0 ? `${people(enabled)}无法登录` : undefined;
	return employees === 0 ? '还没有员工' : undefined;
}
