import { MenuOutlined } from '@ant-design/icons';
import { Alert, App, Button, Drawer, Grid, Layout, Menu, Result, Spin } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { AccountMenu } from '../account/account-menu.tsx';
import { InitialPasswordNotice } from '../account/initial-password-notice.tsx';
import { type Own, OwnContext, useOwnQueries } from '../account/own.ts';
import { OwnPasswordDrawer } from '../account/own-password-drawer.tsx';
import { base, ownPageUrl } from '../api/base.ts';
import { outage } from '../api/connection.ts';
import { asRefusal } from '../api/refusal.ts';
import { leave } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { SlipsProvider } from '../employees/slips.tsx';
import { Awaited } from '../page/late.tsx';
import { LoadBoundary } from '../page/load-boundary.tsx';
import { Problem } from '../page/problem.tsx';
import { ListAddress } from '../page/search.ts';
import { titleItem } from '../page/title.ts';
import { SessionNotice } from '../session/session-notice.tsx';
import { pages } from './pages.tsx';

/** The frame around every page: menu, account and notices. */
export function Shell() {
	const { user, permissions } = useOwnQueries();
	const own = useMemo<Own | undefined>(() => {
		if (!user.data || !permissions.data) return undefined;
		const held = new Set(permissions.data.permissions);
		return {
			user: user.data,
			menus: new Map(permissions.data.menus.map(({ key, title }) => [key, title])),
			can: (code) => held.has('*') || held.has(code),
		};
	}, [user.data, permissions.data]);
	const error = user.error ?? permissions.error;
	return (
		<>
			<OutageNotice />
			{own && (
				<OwnContext value={own}>
					<SlipsProvider>
						<Frame own={own} />
					</SlipsProvider>
				</OwnContext>
			)}
			{!own &&
				(error && !asRefusal(error).asksFor ? (
					<Problem refusal={asRefusal(error)} />
				) : (
					<Spin className="loading" size="large" />
				))}
		</>
	);
}

/** Appears when the service cannot be reached, and disappears by itself. */
function OutageNotice() {
	const problem = useValue(outage);
	const { message } = App.useApp();
	const [wasOut, setWasOut] = useState(false);
	useEffect(() => {
		if (wasOut && !problem) void message.info('服务已恢复。如果刚才没有保存成功，请再保存一次。');
		setWasOut(problem !== undefined);
	}, [problem, wasOut, message]);
	return (
		<div className="outage" role="status">
			{problem && <Alert banner type="warning" title={problem} />}
		</div>
	);
}

function Frame({ own }: { own: Own }) {
	const isWide = Grid.useBreakpoint().lg ?? true;
	const [isMenuOpen, setMenuOpen] = useState(false);
	const [isChanging, setChanging] = useState(false);
	const [location] = useLocation();
	const shown = pages.filter((page) => page.title(own) !== undefined);
	const current = shown.find(({ path }) => location === path || location.startsWith(`${path}/`));
	const title = current?.title(own);
	const item = useValue(titleItem);
	useEffect(() => {
		document.title = [item, title, '门店管理后台'].filter(Boolean).join(' · ');
	}, [item, title]);
	const main = useRef<HTMLElement>(null);
	const addressOf = useListAddresses(current?.path);
	const menu = (
		<Menu
			theme={isWide ? 'dark' : 'light'}
			selectedKeys={current ? [current.path] : []}
			onClick={() => setMenuOpen(false)}
			items={shown.map(({ path, icon, ...page }) => ({
				key: path,
				icon,
				// In a list, its link ends the filters; elsewhere it leads back to them.
				label: <Link href={location === path ? path : addressOf(path)}>{page.title(own)}</Link>,
			}))}
		/>
	);
	return (
		<Layout className="frame">
			<a
				className="skip"
				href={`${base}${location}#main`}
				onClick={(event) => {
					event.preventDefault();
					main.current?.focus();
				}}
			>
				跳到主要内容
			</a>
			{isWide && (
				<Layout.Sider width={208} className="sider">
					<div className="brand">门店管理后台</div>
					<nav aria-label="主菜单">{menu}</nav>
				</Layout.Sider>
			)}
			<Layout>
				<Layout.Header className="header">
					{!isWide && (
						<Button
							type="text"
							icon={<MenuOutlined aria-hidden />}
							aria-label="打开菜单"
							aria-expanded={isMenuOpen}
							onClick={() => setMenuOpen(true)}
						/>
					)}
					<span className="header-title">{!isWide && title}</span>
					<AccountMenu onChangePassword={() => setChanging(true)} />
				</Layout.Header>
				<SessionNotice />
				<InitialPasswordNotice onChange={() => setChanging(true)} />
				<Layout.Content id="main" ref={main} tabIndex={-1} className="content">
					<ListAddress value={addressOf}>
						<LoadBoundary key={current?.path}>
							<Switch>
								{shown.map(({ path, component }) => (
									<Route key={path} path={`${path}/*?`}>
										<Awaited part={component} fallback={<Spin className="loading" size="large" />} />
									</Route>
								))}
								<Route path="/">{shown[0] ? <Redirect to={shown[0].path} replace /> : <NoMenu />}</Route>
								{pages.map(({ path }) => (
									<Route key={path} path={`${path}/*?`}>
										{shown[0] ? <Problem status={403} /> : <NoMenu />}
									</Route>
								))}
								<Route>
									<Problem status={404} />
								</Route>
							</Switch>
						</LoadBoundary>
					</ListAddress>
				</Layout.Content>
			</Layout>
			<OwnPasswordDrawer open={isChanging} onClose={() => setChanging(false)} />
			<Drawer
				open={!isWide && isMenuOpen}
				onClose={() => setMenuOpen(false)}
				placement="left"
				size={260}
				title="门店管理后台"
				className="menu-drawer"
			>
				<nav aria-label="主菜单">{menu}</nav>
			</Drawer>
		</Layout>
	);
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

/** For an account that has lost all of its permissions while it was signed in. */
function NoMenu() {
	return (
		<Result
			status="info"
			title={<h1>当前账号没有后台权限</h1>}
			subTitle="请联系管理员，或换一个账号登录。"
			extra={
				<>
					<Button href={ownPageUrl}>我的账号</Button>
					<Button onClick={leave}>退出登录</Button>
				</>
			}
		/>
	);
}
