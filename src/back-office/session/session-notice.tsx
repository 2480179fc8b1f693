import { Alert } from 'antd';
import { useEffect, useState } from 'react';
import { isSignedIn, session } from './session.ts';
import { useValue } from './value.ts';

/** How long a token lives, in milliseconds; the routes say `2h`. */
const lifetime = 2 * 60 * 60 * 1000;

/** From when on the notice is shown, in milliseconds before the end. */
const noticeBefore = 10 * 60 * 1000;

/** A notice when the session is about to end. */
export function SessionNotice() {
	const state = useValue(session);
	const now = useNow();
	if (!isSignedIn(state)) return null;
	const left = state.receivedAt + lifetime - now;
	if (left > noticeBefore) return null;
	const minutes = Math.max(1, Math.ceil(left / 60_000));
	return <Alert banner type="warning" title={`登录将在 ${minutes} 分钟内结束，请保存正在编辑的内容，然后重新登录。`} />;
}

function useNow(): number {
	const [now, setNow] = useState(Date.now);
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), 15_000);
		return () => clearInterval(timer);
	}, []);
	return now;
}
