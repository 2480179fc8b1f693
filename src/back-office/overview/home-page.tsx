import { useQuery } from '@tanstack/react-query';
import { homeFor } from '../account/home.ts';
import { useOwn } from '../account/own.ts';
import { givenOwnPage, isOnlyHere } from '../api/base.ts';
import { api } from '../api/client.ts';
import { queryOf } from '../api/things.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { Loaded } from '../page/loaded.tsx';
import { endsSoon, programs } from '../permissions/program-queries.ts';
import { FirstSteps } from './first-steps.tsx';
import { Attention, Ending, Movements } from './news.tsx';
import { ReachHome } from './reach-home.tsx';

const overview = queryOf(['overview'], () => api.overview.get());

/** The page of today, which depends on the account. */
function HomePage() {
	return homeFor(useOwn()) === 'chain' ? <ChainHome /> : <ReachHome />;
}

/** The only page below `/overview`. */
export default [{ path: '/overview', Page: HomePage }] as const;

/** The page of today for an account that sees the whole chain: what needs attention, what ends soon, and the week. */
function ChainHome() {
	const { can } = useOwn();
	const { data: all = [], isLoading, isLoadingError } = useQuery({ ...programs, enabled: can('permission:view') });
	return (
		<Loaded query={useQuery(overview)}>
			{(data) => (
				<>
					<h1>今天</h1>
					{isOnlyHere && can('*') && (
						<Notice type="warning">
							密码纸条上的网址 {givenOwnPage.href} 只能在这台电脑上打开。请让服务器运维人员设置
							PUBLIC_URL，或用手机能打开的网址登录后台。
						</Notice>
					)}
					<FirstSteps overview={data} />
					{!isLoading && !isLoadingError && data.employees.ACTIVE + data.employees.INACTIVE > 0 && (
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
