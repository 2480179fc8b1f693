import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { outage } from '../api/connection.ts';
import { useReadAgain } from '../api/query-client.ts';
import { useValue } from '../api/value.ts';
import { passesOnFocus } from '../page/focus.ts';
import { useSessionEnd } from './session-end.ts';

/** The time for which the notice says that the service is back, in milliseconds. */
const shownFor = 8000;

/** The time after which a screen reader says that a part of the screen is still loading, in milliseconds. */
const patience = 2000;

/**
 * The notice that the service cannot be reached, or is back, that the session is about to end, or that a part of the screen
 * could not be read. It disappears by itself.
 */
export function Notices() {
	const problem = useValue(outage);
	const ending = useSessionEnd();
	const readAgain = useReadAgain();
	const [wasOut, setWasOut] = useState(false);
	useEffect(() => {
		if (problem) return setWasOut(true);
		const timer = setTimeout(() => setWasOut(false), shownFor);
		return () => clearTimeout(timer);
	}, [problem]);
	const recovered = wasOut ? '服务已恢复。如果刚才没有保存成功，请再保存一次。' : undefined;
	const failure = readAgain && (
		<span ref={passesOnFocus}>
			部分内容加载失败，
			<button type="button" className="text-button" onClick={readAgain}>
				重试
			</button>
		</span>
	);
	return (
		<>
			<div role="status" className="outage">
				{problem ?? recovered ?? ending ?? failure}
			</div>
			<div role="status" className="unseen">
				{useIsSlow() && '正在加载…'}
			</div>
		</>
	);
}

/** Whether a part of the screen has been loading for a while. */
function useIsSlow(): boolean {
	const isLoading = useIsFetching({ type: 'active', predicate: ({ state }) => state.data === undefined }) > 0;
	const [isSlow, setSlow] = useState(false);
	useEffect(() => {
		if (!isLoading) return;
		const timer = setTimeout(() => setSlow(true), patience);
		return () => {
			clearTimeout(timer);
			setSlow(false);
		};
	}, [isLoading]);
	return isSlow;
}
