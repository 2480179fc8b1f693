import { queryOptions, useQuery } from '@tanstack/react-query';
import { homeFor } from '../account/home.ts';
import { type Own, useOwn } from '../account/own.ts';
import { givenOwnPage, isOnlyHere } from '../api/base.ts';
import { answer, api } from '../api/client.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { Loaded } from '../page/loaded.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Attention, Ending, Movements } from './news.tsx';
import { ReachHome } from './reach-home.tsx';

/** The overview of the chain, with its programs if the account may see them. */
function chainOverview({ can }: Own) {
	const seesPrograms = can('permission:view');
	return queryOptions({
		queryKey: ['overview', 'chain', seesPrograms],
		async queryFn() {
			const [overview, programs] = await Promise.all([
				answer(api.overview.get()),
				seesPrograms ? answer(api.programs.get()) : [],
			]);
			return { ...overview, programs };
		},
	});
}

/** The page of today, which depends on the account. */
function HomePage() {
	return homeFor(useOwn()) === 'chain' ? <ChainHome /> : <ReachHome />;
}

/** The only page below `/overview`. */
export default [{ path: '/overview', Page: HomePage }] as const;

/** The page of today for an account that sees the whole chain: what needs attention, what ends soon, and the week. */
function ChainHome() {
	const own = useOwn();
	return (
		<Loaded query={useQuery(chainOverview(own))}>
			{(data) => (
				<>
					<h1>今天</h1>
					{isOnlyHere && own.can('*') && (
						<Notice type="warning">
							密码纸条上的网址 {givenOwnPage.href} 只能在这台电脑上打开。请让服务器运维人员设置
							PUBLIC_URL，或用手机能打开的网址登录后台。
						</Notice>
					)}
					<FirstSteps overview={data} />
					{data.employees.ACTIVE + data.employees.INACTIVE > 0 && (
						<>
							<Attention overview={data} />
							<Ending overview={data} />
							<Movements {...data} />
						</>
					)}
				</>
			)}
		</Loaded>
	);
}
