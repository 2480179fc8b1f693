import { useEffect, useState } from 'react';
import { outage } from '../api/connection.ts';
import { useValue } from '../api/value.ts';
import { useSessionEnd } from './session-end.ts';

/** The time for which the notice says that the service is back, in milliseconds. */
const shownFor = 8000;

/** The notice that the service cannot be reached, or is back, or that the session is about to end. It disappears by itself. */
export function Notices() {
	const problem = useValue(outage);
	const ending = useSessionEnd();
	const [wasOut, setWasOut] = useState(false);
	useEffect(() => {
		if (problem) return setWasOut(true);
		const timer = setTimeout(() => setWasOut(false), shownFor);
		return () => clearTimeout(timer);
	}, [problem]);
	const recovered = wasOut ? '服务已恢复。如果刚才没有保存成功，请再保存一次。' : undefined;
	return (
		<div role="status" className="outage">
			{problem ?? recovered ?? ending}
		</div>
	);
}
