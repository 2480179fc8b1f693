/** Every page with its path, its link and who can see it. */
import { DashboardOutlined, HistoryOutlined, IdcardOutlined, ShopOutlined, TeamOutlined } from '@ant-design/icons';
import type { ComponentType, ReactNode } from 'react';
import { historyCode, type Permission } from '../../platform/vocabulary/permissions.ts';
import { homeFor } from '../account/home.ts';
import { type Own, rolesTitle } from '../account/own.ts';
import { base } from '../api/base.ts';
import { type Late, late } from '../page/late.tsx';

interface Page {
	path: `/${string}`;
	/** What an account lacks that cannot use it. */
	needs: Permission;
	/** The text of its link; undefined when the account cannot use it. */
	title(own: Own): string | undefined;
	/** How the title is typed in pinyin: in full, and by its initials; and what else it is called. */
	pinyin: `${string} ${string}`;
	icon: ReactNode;
	/** Also shown for the paths below `path`. */
	component: Late;
}

/**
 * A page, of the menu of the server that has its path unless it has a title of its own. Its script is loaded when the page is
 * first shown; that of the page in the address at once.
 */
function page(
	path: Page['path'],
	needs: Permission,
	pinyin: Page['pinyin'],
	icon: ReactNode,
	load: () => Promise<{ default: ComponentType }>,
	title: Page['title'] = ({ menus }) => menus.get(path.slice(1)),
): Page {
	const component = late(async () => (await load()).default);
	if (location.pathname.startsWith(`${base}${path}`)) component.load();
	return { path, needs, title, pinyin, icon, component };
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
	page(
		'/overview',
		'employee:view:all',
		'jintian jt 概览',
		<DashboardOutlined aria-hidden />,
		() => import('../overview/home-page.tsx'),
		(own) => (homeFor(own) ? '今天' : undefined),
	),
	page(
		'/stores',
		'store:view',
		'mendianguanli mdgl',
		<ShopOutlined aria-hidden />,
		() => import('../stores/store-pages.tsx'),
	),
	page(
		'/employees',
		'employee:view:store',
		'yuangongguanli yggl',
		<TeamOutlined aria-hidden />,
		() => import('../person/employee-pages.tsx'),
	),
	page(
		'/roles',
		'role:view',
		'jueseguanli jsgl quanxianguanli qxgl 权限管理',
		<IdcardOutlined aria-hidden />,
		() => import('../roles/role-pages.tsx'),
		rolesTitle,
	),
	page(
		'/history',
		historyCode,
		'caozuojilu czjl',
		<HistoryOutlined aria-hidden />,
		() => import('../history/history-page.tsx'),
		({ can }) => (can(historyCode) ? '操作记录' : undefined),
	),
];
