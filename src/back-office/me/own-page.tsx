/** The page of one's own: for every employee and the administrator, on the smallest phone. It does without Ant Design. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AuthUser } from '../../auth/model.ts';
import { catalog } from '../../vocabulary/permissions.ts';
import { showPhone } from '../../vocabulary/phone.ts';
import { useOwnQueries } from '../account/own.ts';
import { backOfficeUrl, secondFactorUrl } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { outage } from '../api/connection.ts';
import { useOwnClient } from '../api/query-client.ts';
import { asRefusal } from '../api/refusal.ts';
import { leave } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { typedPassword } from '../session/door.ts';
import { useSessionEnd } from '../session/session-end.ts';
import { NewPassword } from './new-password.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnSignIns, wantsNewPassword } from './own-sign-ins.tsx';
import { Part } from './parts.tsx';
import { OwnSecondFactor } from './second-factor.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** All that a signed-in person sees here. */
export function OwnPage() {
	const problem = useValue(outage);
	const notice = useSessionEnd();
	return (
		<QueryClientProvider client={useOwnClient()}>
			<div role="status" className="own-outage">
				{problem ?? notice}
			</div>
			<Own />
		</QueryClientProvider>
	);
}

function Own() {
	const { user, permissions } = useOwnQueries();
	const asked = permissions.error ? asRefusal(permissions.error).asksFor : undefined;
	const asksForPassword = useValue(wantsNewPassword) || asked === 'password';
	useEffect(() => {
		if (permissions.isSuccess && !asksForPassword) typedPassword.set(undefined);
	}, [permissions.isSuccess, asksForPassword]);
	const error = user.error ?? (asked ? undefined : permissions.error);
	if (error && !(user.data && permissions.data)) return <Failure message={asRefusal(error).message} />;
	if (user.data && asksForPassword) return <NewPassword user={user.data} isFirst={asked === 'password'} />;
	if (!user.data || !permissions.data) return <p className="loading">正在加载…</p>;
	return <Parts user={user.data} permissions={permissions.data} />;
}

type OwnPermissions = NonNullable<ReturnType<typeof useOwnQueries>['permissions']['data']>;

interface PartsProps {
	user: AuthUser;
	permissions: OwnPermissions;
}

function Parts({ user: { username, displayName, accountType, storeName, roles }, permissions }: PartsProps) {
	const isEmployee = accountType === 'EMPLOYEE';
	const isRequired = location.href === secondFactorUrl;
	return (
		<>
			<header className="own-head">
				<span>{[chainName, '我的账号'].filter(Boolean).join(' · ')}</span>
				{permissions.menus.length > 0 && <a href={backOfficeUrl}>进入后台</a>}
				<button type="button" className="text-button" onClick={leave}>
					退出登录
				</button>
			</header>
			<main className="own">
				<h1>{displayName}</h1>
				{isRequired && <OwnSecondFactor username={username} isRequired />}
				<Part title="我的资料">
					<dl className="own-facts">
						<Fact label={isEmployee ? '手机号' : '用户名'}>{isEmployee ? showPhone(username) : username}</Fact>
						{isEmployee && <Fact label="门店">{storeName}</Fact>}
						<Fact label="角色">{roles.map(({ name }) => name).join('、') || '未分配'}</Fact>
					</dl>
				</Part>
				<Part title="我能做什么">
					<Abilities codes={permissions.permissions} isEmployee={isEmployee} />
				</Part>
				<OwnPassword username={username} />
				{!isRequired && <OwnSecondFactor username={username} isRequired={false} />}
				<OwnSignIns />
				<SignOutEverywhere />
			</main>
		</>
	);
}

function Failure({ message }: { message: string }) {
	return (
		<main className="load-failure" role="alert">
			<h1>{message}</h1>
			<button type="button" onClick={() => location.reload()}>
				重试
			</button>
		</main>
	);
}

function Fact({ label, children }: { label: string; children: string | undefined }) {
	return (
		<div>
			<dt>{label}</dt>
			<dd>{children}</dd>
		</div>
	);
}

/** What somebody may do, in sentences. */
function Abilities({ codes, isEmployee }: { codes: readonly string[]; isEmployee: boolean }) {
	if (!isEmployee) return <p>可以登录后台，使用全部功能。</p>;
	const permissions = catalog.permissions.filter(({ code }) => codes.includes(code));
	if (permissions.length === 0) return <p>可以登录员工端。没有后台权限。</p>;
	return (
		<>
			<p>可以登录员工端和后台。在后台可以：</p>
			<ul>
				{permissions.map(({ code, title, description }) => (
					<li key={code}>
						{title}：{description}
					</li>
				))}
			</ul>
		</>
	);
}
