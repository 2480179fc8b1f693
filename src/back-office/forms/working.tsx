import { Spin } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';

/** After how many seconds the clock appears; short work needs none. */
const minShown = 3;

/** Says what is being done and, after a few seconds, for how long already. */
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
			{/* Hidden from screen readers, which would read every second. */}
			{seconds >= minShown && <span aria-hidden>已用 {seconds} 秒</span>}
		</p>
	);
}
