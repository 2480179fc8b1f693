/** The results of the search for everything. */
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { historyCode, type Permission } from '../../platform/vocabulary/permissions.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { useOwnActions } from '../account/account-menu.tsx';
import { canSeeEmployees, type Own, useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { ResetPasswordForm } from '../employees/reset-password.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { command } from '../page/command.ts';
import { pages } from './pages.tsx';

/** One result of the search. */
export interface Found {
	title: string;
	/** The text that distinguishes it from others with the same name. */
	detail?: string;
	/** The page to open. Without it, the present page stays. */
	href?: string;
	/** The action to run there. */
	act?(): void;
}

/** Results of one kind. */
interface Group {
	title: string;
	lines: readonly Found[];
}

const maxFound = 6;

interface Named {
	id: number;
	name: string;
	phone?: string | null;
	storeName?: string;
	address?: string | null;
}

const page = { page: 1, pageSize: maxFound };

interface Kind {
	/** The first part of the path of its pages. */
	kind: string;
	title: string;
	isOpenTo(own: Own): boolean;
	find(search: string): Promise<{ items: readonly Named[] }>;
}

const kinds: readonly Kind[] = [
	{
		kind: 'employees',
		title: '员工',
		isOpenTo: canSeeEmployees,
		find: (search) => answer(api.employees.get({ query: { ...page, search, order: 'desc' } })),
	},
	{
		kind: 'stores',
		title: '门店',
		isOpenTo: ({ can }) => can('store:view'),
		find: (search) => answer(api.stores.page.get({ query: { ...page, search, includeInactive: true } })),
	},
	{
		kind: 'roles',
		title: '角色',
		isOpenTo: ({ can }) => can('role:view'),
		find: (search) => answer(api.roles.page.get({ query: { ...page, search } })),
	},
];

/** The kinds of things that the account can search. */
export function useKinds(): readonly Kind[] {
	const own = useOwn();
	return kinds.filter(({ isOpenTo }) => isOpenTo(own));
}

/** The results for a text, and whether they are for the whole text. */
export function useFound(text: string) {
	const keyword = useSettled(text.trim());
	const { things, isFetching, hasFailed } = useThings(keyword);
	const groups = [...things, ...useKnown(keyword)];
	return {
		groups: groups.filter(({ lines }) => lines.length > 0),
		isFetching,
		hasFailed,
		isReady: keyword === text.trim() && !isFetching,
	};
}

/** A text after it has not changed for a moment. */
function useSettled(text: string): string {
	const [settled, setSettled] = useState(text);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(text), 120);
		return () => clearTimeout(timer);
	}, [text]);
	return settled;
}

/** People, stores and roles with a text. */
function useThings(keyword: string) {
	const open = useKinds();
	const results = useQueries({
		queries: open.map(({ kind, find }) => ({
			queryKey: ['found', kind, keyword],
			queryFn: async () => (await find(keyword)).items,
			placeholderData: keepPreviousData,
			enabled: keyword !== '',
		})),
	});
	const found = open.map(({ kind, title }, index) => ({
		title,
		lines: (results[index]?.data ?? []).map(({ id, name, phone, storeName, address }) => {
			const detail = [phone && showPhone(phone), storeName, address].filter(Boolean).join(' · ');
			return { title: name, detail, href: `/${kind}/${id}` };
		}),
	}));
	return {
		things: keyword === '' ? [] : found,
		isFetching: results.some(({ isFetching }) => isFetching),
		hasFailed: results.some(({ isError }) => isError),
	};
}

/** A page or an action, with its name in pinyin. */
interface Known extends Found {
	pinyin: string;
}

/** The actions that begin on a page, each for accounts with one of some permissions. */
const pageActions: readonly (Known & { href: string; needs: readonly Permission[] })[] = [
	{ needs: ['employee:manage'], title: '新增员工', href: '/employees', pinyin: 'xinzengyuangong xzyg' },
	{ needs: ['employee:manage'], title: '导入员工', href: '/employees/import', pinyin: 'daoruyuangong dryg' },
	{
		needs: ['employee:view:all', 'employee:view:store'],
		title: '导出员工',
		href: '/employees',
		pinyin: 'daochuyuangong dcyg',
	},
	{
		needs: ['employee:manage'],
		title: '员工离职',
		href: '/employees',
		pinyin: 'yuangonglizhi yglz lizhi lz',
		detail: '打开员工，再点“更多操作”',
	},
	{ needs: ['store:manage'], title: '新增门店', href: '/stores', pinyin: 'xinzengmendian xzmd' },
	{ needs: ['store:manage'], title: '导入门店', href: '/stores/import', pinyin: 'daorumendian drmd' },
	{ needs: ['store:view'], title: '导出门店', href: '/stores', pinyin: 'daochumendian dcmd' },
	{ needs: ['store:manage'], title: '区域', href: '/stores', pinyin: 'quyu qy' },
	{ needs: ['role:manage'], title: '新增角色', href: '/roles/new', pinyin: 'xinzengjuese xzjs' },
	{ needs: ['permission:manage'], title: '新增权限', href: '/roles/points', pinyin: 'xinzengquanxian xzqx' },
	{ needs: ['permission:view'], title: '自定义权限', href: '/roles/points', pinyin: 'zidingyiquanxian zdyqx' },
	{
		needs: ['permission:manage'],
		title: '新增接入程序',
		href: '/roles/programs',
		pinyin: 'xinzengjieruchengxu xzjrcx',
	},
	{ needs: ['permission:view'], title: '接入程序', href: '/roles/programs', pinyin: 'jieruchengxu jrcx miyao my 密钥' },
	{ needs: [historyCode], title: '导出操作记录', href: '/history', pinyin: 'daochucaozuojilu dcczjl' },
	{ needs: ['*'], title: '新增超级管理员', href: '/roles/administrators', pinyin: 'xinzengchaojiguanliyuan xzcjgly' },
	{ needs: ['*'], title: '超级管理员', href: '/roles/administrators', pinyin: 'chaojiguanliyuan cjgly' },
];

/** Pages and actions whose name contains a text, or begins with it in pinyin. */
function useKnown(keyword: string): readonly Group[] {
	const own = useOwn();
	const open = useOpenAbove();
	const reset = { title: '重置密码', pinyin: 'chongzhimima czmm', act: () => open(<ResetPasswordForm />) };
	const anywhere = [...(own.can('employee:manage') ? [reset] : []), ...useOwnActions()];
	const onPages = pageActions
		.filter(({ needs }) => needs.some(own.can))
		.map((action) => ({ ...action, act: () => command.set(action) }));
	const shown = pages.map(({ path, title, pinyin }) => ({ title: title(own) ?? '', href: path, pinyin }));
	const typed = keyword.toLowerCase().replaceAll(' ', '');
	const fits = ({ title, pinyin }: Known) =>
		title.includes(typed) || pinyin.split(' ').some((name) => name.startsWith(typed));
	return [
		{ title: '操作', lines: [...onPages, ...anywhere].filter(fits) },
		{ title: '页面', lines: shown.filter((page) => page.title && fits(page)) },
	];
}
