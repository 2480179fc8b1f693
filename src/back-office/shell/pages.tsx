/** Every page with its path, its link and who can see it. */
import { DashboardOutlined, HistoryOutlined, IdcardOutlined, ShopOutlined, TeamOutlined } from '@ant-design/icons';
import type { ComponentType, ReactNode } from 'react';
import { type Own, rolesTitle } from '../account/own.ts';
import { base } from '../api/base.ts';
import { type Late, late } from '../page/late.tsx';

interface Page {
	path: `/${string}`;
	/** The text of its link; undefined when the account cannot use it. */
	title(own: Own): string | undefined;
	/** How the title is typed in pinyin: in full, and by its initials; and what else it is called. */
	pinyin: `${string} ${string}`;
	icon: ReactNode;
	/** Also shown for the paths below `path`. */
	component: Late;
}

/** A page's script is loaded when the page is first shown; that of the page in the address at once. */
function loaded(path: string, load: () => Promise<{ default: ComponentType }>): Late {
	const page = late(async () => (await load()).default);
	if (location.pathname.startsWith(`${base}${path}`)) page.load();
	return page;
}

const seesAll = ({ can }: Own) => can('store:view') && can('employee:view:all');

/** A page that the server has a menu for. */
function menuPage(
	path: Page['path'],
	pinyin: Page['pinyin'],
	icon: ReactNode,
	load: () => Promise<{ default: ComponentType }>,
): Page {
	return { path, title: ({ menus }) => menus.get(path.slice(1)), pinyin, icon, component: loaded(path, load) };
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
	{
		path: '/overview',
		title: (own) => (seesAll(own) ? '概览' : undefined),
		pinyin: 'gailan gl',
		icon: <DashboardOutlined aria-hidden />,
		component: loaded('/overview', () => import('../overview/overview-page.tsx')),
	},
	menuPage('/stores', 'mendianguanli mdgl', <ShopOutlined aria-hidden />, () => import('../stores/store-pages.tsx')),
	menuPage(
		'/employees',
		'yuangongguanli yggl',
		<TeamOutlined aria-hidden />,
		() => import('../person/employee-pages.tsx'),
	),
	{
		path: '/roles',
		title: rolesTitle,
		pinyin: 'jueseguanli jsgl quanxianguanli qxgl 权限管理',
		icon: <IdcardOutlined aria-hidden />,
		component: loaded('/roles', () => import('../roles/role-pages.tsx')),
	},
	{
		path: '/history',
		title: ({ can }) => (can('*') ? '操作记录' : undefined),
		pinyin: 'caozuojilu czjl',
		icon: <HistoryOutlined aria-hidden />,
		component: loaded('/history', () => import('../history/history-page.tsx')),
	},
];
