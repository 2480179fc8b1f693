/** Every page with its path, its link and who can see it. */
import {
	DashboardOutlined,
	HistoryOutlined,
	IdcardOutlined,
	KeyOutlined,
	ShopOutlined,
	TeamOutlined,
} from '@ant-design/icons';
import type { ComponentType, ReactNode } from 'react';
import type { Own } from '../account/own.ts';
import { base } from '../api/base.ts';
import { type Late, late } from '../page/late.tsx';

interface Page {
	path: `/${string}`;
	/** The text of its link; undefined when the account cannot use it. */
	title(own: Own): string | undefined;
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
function menuPage(path: Page['path'], icon: ReactNode, load: () => Promise<{ default: ComponentType }>): Page {
	return { path, title: ({ menus }) => menus.get(path.slice(1)), icon, component: loaded(path, load) };
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
	{
		path: '/overview',
		title: (own) => (seesAll(own) ? '概览' : undefined),
		icon: <DashboardOutlined aria-hidden />,
		component: loaded('/overview', () => import('../overview/overview-page.tsx')),
	},
	menuPage('/stores', <ShopOutlined aria-hidden />, () => import('../stores/store-pages.tsx')),
	menuPage('/employees', <TeamOutlined aria-hidden />, () => import('../person/employee-pages.tsx')),
	menuPage('/roles', <IdcardOutlined aria-hidden />, () => import('../roles/role-list-page.tsx')),
	menuPage('/permissions', <KeyOutlined aria-hidden />, () => import('../permissions/permission-page.tsx')),
	{
		path: '/history',
		title: ({ can }) => (can('*') ? '操作记录' : undefined),
		icon: <HistoryOutlined aria-hidden />,
		component: loaded('/history', () => import('../history/history-page.tsx')),
	},
];
