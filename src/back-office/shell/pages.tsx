/** Every page with its path, its link and the accounts that can see it. */
import { DashboardOutlined, HistoryOutlined, IdcardOutlined, ShopOutlined, TeamOutlined } from '@ant-design/icons';
import type { ComponentType, ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { historyCode, type Permission } from '../../platform/vocabulary/permissions.ts';
import { homeFor } from '../account/home.ts';
import { canSeeEmployees, type Own, rolesTitle, useOwn } from '../account/own.ts';
import { base } from '../api/base.ts';
import { type Late, late } from '../page/late.tsx';
import { Problem } from '../page/loaded.tsx';

interface Page {
	path: `/${string}`;
	/** The permission that an account without the page lacks. */
	needs: Permission;
	/** The text of its link; undefined when the account cannot use it. */
	title(own: Own): string | undefined;
	/** The title in pinyin, in full and as initials, and other names for it. */
	pinyin: string;
	icon: ReactNode;
	component: Late;
}

/** The pages of one script, by their addresses. */
type Addresses = readonly {
	path: string;
	/** A further permission that it needs. */
	needs?: Permission;
	Page: ComponentType<{ id: string; record?: string }>;
}[];

/** The page of the address, or why it cannot be shown. */
function PageAt({ addresses, of: shown }: { addresses: Addresses; of: Omit<Page, 'component'> }) {
	const own = useOwn();
	const refused = shown.title(own) === undefined ? shown.needs : undefined;
	return (
		<Switch>
			{addresses.map(({ path, needs, Page }) => (
				<Route key={path} path={path}>
					{(given: { id: string }) => {
						const missing = needs && !own.can(needs) ? needs : refused;
						return missing ? <Problem missing={missing} /> : <Page key={given.id} {...given} />;
					}}
				</Route>
			))}
			<Route>
				<Problem />
			</Route>
		</Switch>
	);
}

/** A page whose script is loaded when it is first shown. The script of the page in the address is loaded at once. */
function page(load: () => Promise<{ default: Addresses }>, shown: Omit<Page, 'component'>): Page {
	const component = late(async () => {
		const { default: addresses } = await load();
		return () => <PageAt addresses={addresses} of={shown} />;
	});
	if (location.pathname.startsWith(`${base}${shown.path}`)) component.load();
	return { ...shown, component };
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
	page(() => import('../overview/home-page.tsx'), {
		path: '/overview',
		needs: 'employee:view:all',
		title: (own) => (homeFor(own) ? '今天' : undefined),
		pinyin: 'jintian jt 概览',
		icon: <DashboardOutlined aria-hidden />,
	}),
	page(() => import('../stores/store-pages.tsx'), {
		path: '/stores',
		needs: 'store:view',
		title: ({ can }) => (can('store:view') ? '门店' : undefined),
		pinyin: 'mendianguanli mdgl 门店管理',
		icon: <ShopOutlined aria-hidden />,
	}),
	page(() => import('../person/employee-pages.tsx'), {
		path: '/employees',
		needs: 'employee:view:store',
		title: (own) => (canSeeEmployees(own) ? '员工' : undefined),
		pinyin: 'yuangongguanli yggl 员工管理',
		icon: <TeamOutlined aria-hidden />,
	}),
	page(() => import('../roles/role-pages.tsx'), {
		path: '/roles',
		needs: 'role:view',
		title: rolesTitle,
		pinyin: 'jueseguanli jsgl quanxianguanli qxgl 角色管理 权限管理',
		icon: <IdcardOutlined aria-hidden />,
	}),
	page(() => import('../history/history-page.tsx'), {
		path: '/history',
		needs: historyCode,
		title: ({ can }) => (can(historyCode) ? '操作记录' : undefined),
		pinyin: 'caozuojilu czjl',
		icon: <HistoryOutlined aria-hidden />,
	}),
];
