import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignIns } from '../../features/auth/model.ts';
import { answer, api, done } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { endSession, leave } from '../api/session.ts';
import { showShortTime, showTime } from '../api/time.ts';
import { createValue } from '../api/value.ts';
import { Dialog, Part, PlainButton, Refused } from './parts.tsx';

const ownSignIns = queryOptions({
	queryKey: ['own', 'sign-ins'],
	queryFn: () => answer(api.auth.me['sign-ins'].get()),
});

/** Whether somebody else was signed in: a new password is asked for after the next sign-in. */
export const wantsNewPassword = createValue(false);

/** The last sign-ins of the own account, and what to do about one that was somebody else. */
export function OwnSignIns() {
	const { data } = useQuery(ownSignIns);
	if (!data) return null;
	return (
		<Part title="最近的登录">
			<ul className="own-sign-ins">
				{data.items.map((signIn) => (
					<OwnSignIn key={signIn.id} {...signIn} />
				))}
			</ul>
			<p>有不认识的登录？可能有人知道了您的密码。</p>
			<SignOutButton title="有人用您的账号登录？" onDone={askForPassword} label="这不是我">
				所有设备上的登录将立即失效，包括这里。请随后用原密码登录一次，并马上设置新密码。
			</SignOutButton>
		</Part>
	);
}

/** One sign-in. Those that last can be ended. */
function OwnSignIn({ id, at, address, client, lastUsedAt, isLive, isCurrent }: SignIns['items'][number]) {
	const queryClient = useQueryClient();
	const end = useMutation({
		mutationFn: () => done(api.auth.me['sign-ins']({ id }).delete()),
		onSettled: () => queryClient.invalidateQueries(ownSignIns),
	});
	return (
		<li>
			<time dateTime={at}>{showTime(at)}</time>
			<span>{client ?? '未知设备'}</span>
			<span>{address}</span>
			{isLive && !isCurrent && lastUsedAt && <span>最近使用 {showShortTime(lastUsedAt)}</span>}
			{isCurrent && <strong>本次登录</strong>}
			{isLive && !isCurrent && (
				<button type="button" className="text-button" disabled={end.isPending} onClick={() => end.mutate()}>
					结束登录
				</button>
			)}
			<Refused refusal={end.error ? asRefusal(end.error) : undefined} />
		</li>
	);
}

function askForPassword(): void {
	wantsNewPassword.set(true);
	endSession('已在所有设备上退出。请重新登录，然后设置新密码。');
}

/** Ends everything that is signed in to the own account. */
export function SignOutEverywhere() {
	return (
		<Part title="退出登录">
			<p>手机丢了，或在别人的电脑上忘了退出？可以让所有设备上的登录一起失效。</p>
			<SignOutButton title="在所有设备上退出登录？" onDone={leave} label="在所有设备上退出">
				您在所有电脑和手机上的登录都将立即失效，包括这里，需要重新登录。
			</SignOutButton>
		</Part>
	);
}

interface SignOutProps {
	label: string;
	/** The question, and the effect of a yes. */
	title: string;
	children: string;
	/** When nothing is signed in any more. */
	onDone(): void;
}

/** Ends everything that is signed in to the own account, once it has asked. */
function SignOutButton({ label, title, children, onDone }: SignOutProps) {
	const [isAsking, setAsking] = useState(false);
	const signOut = useMutation({
		mutationFn: () => done(api.auth.logout.post(undefined, { query: { everywhere: true } })),
		onSuccess: onDone,
	});
	return (
		<>
			<button type="button" className="plain-button danger" onClick={() => setAsking(true)}>
				{label}
			</button>
			{isAsking && (
				<Dialog title={title} onClose={() => setAsking(false)}>
					<p>{children}</p>
					<Refused refusal={signOut.error ? asRefusal(signOut.error) : undefined} />
					<div className="own-buttons">
						<PlainButton onClick={() => setAsking(false)}>取消</PlainButton>
						<button
							type="button"
							className="main-button danger"
							disabled={signOut.isPending}
							onClick={() => signOut.mutate()}
						>
							全部退出
						</button>
					</div>
				</Dialog>
			)}
		</>
	);
}
