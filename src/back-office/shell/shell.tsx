import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect, useMemo, useState } from 'react';
import { Link, Redirect, useLocation, useSearch } from 'wouter';
import { holds, type Permission } from '../../platform/vocabulary/permissions.ts';
import { AccountMenu } from '../account/account-menu.tsx';
import { type Own, OwnContext, ownPassword, ownUser, useOwn } from '../account/own.ts';
import { InitialPasswordNotice } from '../account/own-password.tsx';
import { base, ownPageUrl, secondFactorUrl } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { asRefusal } from '../api/refusal.ts';
import { useValue } from '../api/value.ts';
import { OpeningAbove } from '../forms/opening.tsx';
import { command } from '../page/command.ts';
import { LateComponent, LoadBoundary, loading } from '../page/late.tsx';
import { Problem } from '../page/loaded.tsx';
import { useSteady } from '../page/open-form.ts';
import { titleItem } from '../page/page-head.tsx';
import { createMediaHook } from '../page/screen.ts';
import { ListAddress } from '../page/search.ts';
import { Mark } from '../session/mark.tsx';
import { Finder } from './finder.tsx';
import { pages } from './pages.tsx';

/** The frame around every page: menu, account and notices. */
export function Shell() {
	const { data: user, error, refetch } = useQuery(ownUser);
	// A notice that appears later would move the page under a click, and the click would miss.
	const isReady = !useQuery(ownPassword).isPending;
	const latest = useMemo<Own | undefined>(() => {
		const permissions = new Set(user?.permissions as Permission[] | undefined);
		return user && isReady ? { user, permissions, can: (code) => holds(permissions, code) } : undefined;
	}, [user, isReady]);
	const own = useSteady(latest);
	if (!own) return error ? <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} /> : loading;
	if (own.user.mustEnableSecondFactor) return <ToOwnPage href={secondFactorUrl()} />;
	return (
		<OwnContext value={own}>
			<OpeningAbove>
				<Frame own={own} />
			</OpeningAbove>
		</OwnContext>
	);
}

/** Whether the menu is below the page instead of beside it. */
const useIsNarrow = createMediaHook('(max-width: 991px)');

function Frame({ own }: { own: Own }) {
	const isNarrow = useIsNarrow();
	const [location] = useLocation();
	const shown = pages.filter((page) => page.title(own) !== undefined);
	const current = pageAt(shown, location);
	const addressOf = useListAddresses(current?.path);
	const chain = useValue(chainName);
	const pageName = chain ?? '门店管理后台';
	useTitle(current?.title(own), pageName);
	// The page of a command was left before it had loaded.
	useEffect(() => {
		if (command.get()?.href !== location) command.set(undefined);
	}, [location]);
	const brand = (
		<Link href="/" className="brand">
			<Mark />
			{pageName}
		</Link>
	);
	const menu = <MainMenu shown={shown} current={current} addressOf={addressOf} />;
	return (
		<div className="frame">
			<a className="skip" href={`${base}${location}#main`} onClick={skip}>
				跳到主要内容
			</a>
			{!isNarrow && (
				<aside className="sider">
					{brand}
					{menu}
				</aside>
			)}
			<div>
				<header className="header">
					{isNarrow && brand}
					<Finder />
					<AccountMenu />
				</header>
				<InitialPasswordNotice />
				<main id="main" tabIndex={-1} className="content">
					{chain && <p className="on-paper">{chain}</p>}
					<ListAddress value={addressOf}>
						<LoadBoundary key={current?.path}>
							<ShownPage shown={shown} />
						</LoadBoundary>
					</ListAddress>
				</main>
			</div>
			{isNarrow && shown.length > 1 && <div className="bottom-bar">{menu}</div>}
		</div>
	);
}

/** Sets the title of the tab: the item first, if there is one. */
function useTitle(...names: (string | undefined)[]): void {
	const title = [useValue(titleItem), ...names].filter(Boolean).join(' · ');
	useEffect(() => {
		document.title = title;
	}, [title]);
}

/** Focuses the content, without a new address. */
function skip(event: MouseEvent) {
	event.preventDefault();
	document.getElementById('main')?.focus();
}

interface MenuProps {
	shown: typeof pages;
	current: (typeof pages)[number] | undefined;
	addressOf(path: string): string;
}

/** The menu of the pages. On a list, its link clears the filters. On other pages it leads back to the filtered list. */
function MainMenu({ shown, current, addressOf }: MenuProps) {
	const [location] = useLocation();
	const own = useOwn();
	return (
		<nav aria-label="主菜单">
			<ul className="pages">
				{shown.map((page) => (
					<li key={page.path}>
						<Link
							href={location === page.path ? page.path : addressOf(page.path)}
							aria-current={page === current ? 'page' : undefined}
						>
							{page.icon}
							{page.title(own)}
						</Link>
					</li>
				))}
			</ul>
		</nav>
	);
}

/** The page of the address, or why it cannot be shown. */
function ShownPage({ shown: [first] }: Pick<MenuProps, 'shown'>) {
	const [location] = useLocation();
	if (!first) return <ToOwnPage href={ownPageUrl} />;
	if (location === '/') return <Redirect to={first.path} replace />;
	const page = pageAt(pages, location);
	return page ? <LateComponent part={page.component} /> : <Problem />;
}

/** The page that an address belongs to. Capitals make no difference. */
function pageAt(among: typeof pages, location: string) {
	return among.find(({ path }) => `${location.toLowerCase()}/`.startsWith(`${path}/`));
}

/** The address of each list with the filters that it had when it was last shown; `path` is that of the present page. */
function useListAddresses(path: string | undefined): (path: string) => string {
	const [location] = useLocation();
	const search = useSearch();
	const [searches] = useState(() => new Map<string, string>());
	useEffect(() => {
		if (location === path) searches.set(location, search);
	}, [location, path, search, searches]);
	return (list) => {
		const kept = searches.get(list);
		return kept ? `${list}?${kept}` : list;
	};
}

/** Leads to the own-account page. */
function ToOwnPage({ href }: { href: string }) {
	useEffect(() => location.replace(href), [href]);
	return loading;
}
