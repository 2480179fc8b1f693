import { useEffect, useState } from 'react';
import { tokenLifetime } from '../../platform/vocabulary/limits.ts';
import { answer, api } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { beginSession, endSession, isSignedIn, session } from '../api/session.ts';
import { useNow, useValue } from '../api/value.ts';

const minute = 60_000;

const lifetime = tokenLifetime.seconds * 1000;

/** From this age on, in milliseconds, a token is renewed if the person has been active since it was received. */
const minRenewalAge = 30 * minute;

/** The time before the end at which the notice appears. */
const noticeBefore = 10 * minute;

const checkEvery = 20_000;

/** Renews the session while the person works, and ends it with its token. @returns the notice when it is about to end. */
export function useSessionEnd(): string | undefined {
	const state = useValue(session);
	const now = useNow(checkEvery);
	// A token that the service refused to renew, and why.
	const [last, setLast] = useState<{ token: string; reason: string }>();
	const refusal = isSignedIn(state) && state.token === last?.token ? last.reason : undefined;
	useEffect(() => {
		if (!isSignedIn(state)) return;
		if (now - state.receivedAt >= lifetime) return endSession(refusal ?? '登录已过期，请重新登录');
		const isDue = now - state.receivedAt > minRenewalAge && lastActivity > state.receivedAt;
		if (refusal || !isDue) return;
		answer(api.auth.renew.post()).then(beginSession, (error) => {
			const { status, message } = asRefusal(error);
			if (status === 401) setLast({ token: state.token, reason: message });
		});
	}, [state, now, refusal]);
	if (!isSignedIn(state)) return undefined;
	const left = state.receivedAt + lifetime - now;
	if (left > noticeBefore) return undefined;
	const minutes = Math.max(1, Math.ceil(left / minute));
	const advice = refusal ? '请保存正在编辑的内容，然后重新登录。' : '如需继续使用，请点击页面任意位置。';
	return `登录将在 ${minutes} 分钟内结束。${advice}`;
}

/** The time of the last key or pointer press, in milliseconds since 1970. */
let lastActivity = 0;

function noteActivity(): void {
	lastActivity = Date.now();
}

for (const event of ['keydown', 'pointerdown']) document.addEventListener(event, noteActivity, true);
