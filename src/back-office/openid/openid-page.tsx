/** The sign-in page of OpenID Connect: it signs people in for a program, or out. It works without Ant Design. */
import { useState } from 'react';
import type { ChangePassword, Credentials } from '../../features/auth/model.ts';
import type { OpenidPage as State } from '../../features/openid/model.ts';
import { serviceUrl } from '../api/base.ts';
import { reportAnswer } from '../api/connection.ts';
import { onDevice } from '../api/device.ts';
import { asRefusal, refusalFrom } from '../api/refusal.ts';
import { SignInBox } from '../session/mark.tsx';
import { PlainForm } from '../session/plain-form.tsx';
import { SignInForm } from '../session/sign-in.tsx';

/** Sends the person's input together with the request that opened the page, and goes on. @throws Refusal */
async function send(what: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
	const response = await fetch(new URL(`openid/${what}${location.search}`, serviceUrl), {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'accept-language': 'zh-CN', ...headers },
		body: JSON.stringify(body),
	}).catch(() => undefined);
	reportAnswer(response?.status ?? 0);
	const answer = await response?.json().catch(() => undefined);
	if (!response?.ok) throw refusalFrom(response, answer);
	if (answer.data.location) location.replace(answer.data.location);
	return response;
}

function enter(credentials: Credentials) {
	return onDevice(credentials.username, async ({ headers }) => ({
		response: await send('sign-in', credentials, headers),
	}));
}

/** The page in the state that the service chose for the request. */
export function OpenidPage({ state }: { state: State }) {
	return (
		<main className="sign-in">
			{state.kind === 'SIGN_IN' && <SignIn {...state} />}
			{state.kind === 'SIGN_OUT' && <SignOut />}
			{state.kind === 'SIGNED_OUT' && <SignedOut />}
			{state.kind === 'ERROR' && <SignInBox title="无法登录" subtitle={state.notice} />}
		</main>
	);
}

function SignedOut() {
	return <SignInBox title="已退出登录" subtitle="可以关闭此页。" />;
}

function SignIn({ program, username, notice }: Extract<State, { kind: 'SIGN_IN' }>) {
	// The one-time password that must be replaced before going on.
	const [typed, setTyped] = useState<string>();
	if (typed !== undefined) return <OwnPasswordForm oldPassword={typed} />;

	async function signIn(credentials: Credentials) {
		try {
			await enter(credentials);
		} catch (error) {
			if (!asRefusal(error).has('own_password_required')) throw error;
			setTyped(credentials.password);
		}
	}
	return <SignInForm ended={{ reason: notice, username }} title={`登录后前往“${program}”`} enter={signIn} />;
}

function OwnPasswordForm({ oldPassword }: Pick<ChangePassword, 'oldPassword'>) {
	return (
		<SignInBox title="设置自己的密码" subtitle="请先设置一个只有您自己知道的密码，以后用它登录。">
			<PlainForm
				fields={[{ name: 'newPassword', label: '新密码（8 至 128 个字符）', kind: 'new-password' }]}
				send={({ newPassword }) => send('password', { oldPassword, newPassword })}
				verb="保存并继续"
			/>
		</SignInBox>
	);
}

function SignOut() {
	const [isDone, setDone] = useState(false);
	if (isDone) return <SignedOut />;
	return (
		<SignInBox title="退出登录？" subtitle="此浏览器中用该账号登录的其他程序也将退出登录。">
			<PlainForm fields={[]} send={() => send('sign-out', {}).then(() => setDone(true))} verb="退出登录" />
		</SignInBox>
	);
}
