import { Spin } from 'antd';
import type { ReactNode } from 'react';

/** Shows the work in progress. */
export function Working({ children }: { children: ReactNode }) {
	return (
		<div className="line">
			<Spin size="small" />
			<span role="status">{children}</span>
		</div>
	);
}
