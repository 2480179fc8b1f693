/** The own-account page: for every employee and administrator, on the smallest phone. It works without Ant Design. */
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { AuthUser } from '../../features/auth/model.ts';
import { hasBackOffice, type Permission } from '../../platform/vocabulary/permissions.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { ownUser } from '../account/own.ts';
import { reachLines } from '../account/reach-lines.ts';
import { backOfficeUrl, wantedPage } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { useOwnClient } from '../api/query-client.ts';
import { asRefusal } from '../api/refusal.ts';
import { signOut } from '../api/session.ts';
import { Facts } from '../page/facts.tsx';
import { Failure, loading } from '../page/late.tsx';
import { Notices } from '../session/notices.tsx';
import { Abilities, ownDefinitions } from './abilities.tsx';
import { Approvals } from './approvals.tsx';
import { NewPassword } from './new-password.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnSignIns } from './own-sign-ins.tsx';
import { Part } from './parts.tsx';
import { OwnSecondFactor } from './second-factor.tsx';

/** The page of a signed-in person. */
export function OwnPage() {
	return (
		<QueryClientProvider client={useOwnClient()}>
			<Notices />
			<Own />
		</QueryClientProvider>
	);
}

function Own() {
	const { data: user, error } = useQuery(ownUser);
	if (user) return user.mustSetPassword ? <NewPassword user={user} /> : <Parts user={user} />;
	return error ? <Failure title={asRefusal(error).message} verb="重试" /> : loading;
}

function Parts({ user }: { user: AuthUser }) {
	const { username, displayName, accountType, storeName, reach, roles, permissions } = user;
	const isEmployee = accountType === 'EMPLOYEE';
	const wanted = wantedPage();
	const { data: held } = useQuery(ownDefinitions);
	const security = (
		<Part title="账号安全">
			<OwnPassword user={user} />
			<OwnSecondFactor username={username} />
			<OwnSignIns />
		</Part>
	);
	return (
		<>
			<header className="line own-head">
				<span>{[chainName.get(), '我的账号'].filter(Boolean).join(' · ')}</span>
				{hasBackOffice(new Set(permissions as Permission[])) && <a href={backOfficeUrl}>进入后台</a>}
				<button type="button" className="text-button" onClick={signOut}>
					退出登录
				</button>
			</header>
			<main className="own">
				<h1>{displayName}</h1>
				{wanted && security}
				{held && isEmployee && <Approvals held={held} />}
				<Part title="我的资料">
					<Facts
						items={{
							[isEmployee ? '手机号' : '用户名']: isEmployee ? showPhone(username) : username,
							门店: isEmployee && storeName,
							负责的门店: reach && reachLines(reach).join('、'),
							角色: roles.map(({ name }) => name).join('、') || '没有角色',
						}}
					/>
				</Part>
				<Part title="我能做什么">{held && <Abilities held={held} isEmployee={isEmployee} />}</Part>
				{!wanted && security}
			</main>
		</>
	);
}
