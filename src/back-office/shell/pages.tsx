/** Every page with its path, its link and the accounts that can see it. */
import { DashboardOutlined, HistoryOutlined, IdcardOutlined, ShopOutlined, TeamOutlined } from '@ant-design/icons';
import type { ComponentType, ReactNode } from 'react';
import { historyCode, type Permission } from '../../platform/vocabulary/permissions.ts';
import { homeFor } from '../account/home.ts';
import { canSeeEmployees, type Own, rolesTitle } from '../account/own.ts';
import { base } from '../api/base.ts';
import { type Late, late } from '../page/late.tsx';

interface Page {
	path: `/${string}`;
	/** The permission that an account without the page lacks. */
	needs: Permission;
	/** The pages below it that need another one. */
	below?: Readonly<Record<`/${string}`, Permission>>;
	/** The text of its link; undefined when the account cannot use it. */
	title(own: Own): string | undefined;
	/** The title in pinyin, in full and as initials, and other names for it. */
	pinyin: string;
	icon: ReactNode;
	component: Late;
}

/** A page whose script is loaded when it is first shown. The script of the page in the address is loaded at once. */
function page(load: () => Promise<{ default: ComponentType }>, shown: Omit<Page, 'component'>): Page {
	const component = late(async () => (await load()).default);
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
		below: { '/stores/import': 'store:manage' },
		title: ({ can }) => (can('store:view') ? '门店' : undefined),
		pinyin: 'mendianguanli mdgl 门店管理',
		icon: <ShopOutlined aria-hidden />,
	}),
	page(() => import('../person/employee-pages.tsx'), {
		path: '/employees',
		needs: 'employee:view:store',
		below: { '/employees/import': 'employee:manage' },
		title: (own) => (canSeeEmployees(own) ? '员工' : undefined),
		pinyin: 'yuangongguanli yggl 员工管理',
		icon: <TeamOutlined aria-hidden />,
	}),
	page(() => import('../roles/role-pages.tsx'), {
		path: '/roles',
		needs: 'role:view',
		below: {
			'/roles/points': 'permission:view',
			'/roles/programs': 'permission:view',
			'/roles/administrators': '*',
			'/roles/new': 'role:manage',
		},
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
