import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignIns } from '../../features/own-account/model.ts';
import { api, done } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { leave } from '../api/session.ts';
import { queryOf } from '../api/things.ts';
import { showShortTime, showTime } from '../api/time.ts';
import { passesOnFocus } from '../page/focus.ts';
import { PlainForm, Refused } from '../session/plain-form.tsx';
import { DialogButton } from './parts.tsx';

const ownSignIns = queryOf(['own', 'sign-ins'], () => api.auth.me['sign-ins'].get());

/** The last sign-ins of the account, with buttons to end one or all. */
export function OwnSignIns() {
	const { data } = useQuery(ownSignIns);
	if (!data) return null;
	return (
		<>
			<h3>最近的登录</h3>
			<ul className="own-sign-ins">
				{data.items.map((signIn) => (
					<OwnSignIn key={signIn.id} {...signIn} />
				))}
			</ul>
			<p>有不认识的登录？请马上修改密码：其他设备上的登录会立即失效。</p>
			<DialogButton verb="在所有设备上退出" title="在所有设备上退出登录？">
				<p>您在所有电脑和手机上的登录都将立即失效，包括这里，需要重新登录。</p>
				<PlainForm fields={[]} send={() => signOutEverywhere().then(leave)} verb="全部退出" />
			</DialogButton>
		</>
	);
}

const signOutEverywhere = () => done(api.auth.logout.post(undefined, { query: { everywhere: true } }));

/** One sign-in. A live one can be ended. */
function OwnSignIn({ id, at, address, client, lastUsedAt, isLive, isCurrent }: SignIns['items'][number]) {
	const queryClient = useQueryClient();
	const end = useMutation({
		mutationFn: () => done(api.auth.me['sign-ins']({ id }).delete()),
		onSettled: () => queryClient.invalidateQueries(ownSignIns),
	});
	return (
		<li tabIndex={-1}>
			<time dateTime={at}>{showTime(at)}</time>
			<span>{client ?? '未知设备'}</span>
			<span>{address}</span>
			{isLive && !isCurrent && lastUsedAt && <span>最近使用 {showShortTime(lastUsedAt)}</span>}
			{isCurrent && <strong>本次登录</strong>}
			{isLive && !isCurrent && (
				<button ref={passesOnFocus} type="button" className="text-button" onClick={() => end.isPending || end.mutate()}>
					结束登录
				</button>
			)}
			<Refused refusal={end.error ? asRefusal(end.error) : undefined} />
		</li>
	);
}
