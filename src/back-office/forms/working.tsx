import { Spin } from 'antd';
import { type ReactNode, useState } from 'react';
import { useNow } from '../api/value.ts';

/** After how many seconds the clock appears; short work needs none. */
const minShown = 3;

/** Says what is being done and, after a few seconds, for how long already. */
export function Working({ children }: { children: ReactNode }) {
	const [start] = useState(Date.now);
	const seconds = Math.floor((useNow(1000) - start) / 1000);
	return (
		<p className="working">
			<Spin size="small" />
			<span role="status">{children}</span>
			{/* Hidden from screen readers, which would read every second. */}
			{seconds >= minShown && <span aria-hidden>已用 {seconds} 秒</span>}
		</p>
	);
}
