import { Spin } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';

/** From when on the seconds are shown: what is over sooner needs no clock. */
const shownAfter = 3;

/** What is being done, for as long as it is shown; after a few seconds, with how long it has taken. */
export function Working({ children }: { children: ReactNode }) {
	const [seconds, setSeconds] = useState(0);
	useEffect(() => {
		const start = Date.now();
		const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1000)), 1000);
		return () => clearInterval(timer);
	}, []);
	return (
		<p className="working">
			<Spin size="small" />
			<span role="status">{children}</span>
			{/* A screen reader would say every second. */}
			{seconds >= shownAfter && <span aria-hidden>已用 {seconds} 秒</span>}
		</p>
	);
}
