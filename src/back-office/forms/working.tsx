import { Spin } from 'antd';
import type { ReactNode } from 'react';

/** Says what is being done. */
export function Working({ children }: { children: ReactNode }) {
	return (
		<p className="working">
			<Spin size="small" />
			<span role="status">{children}</span>
		</p>
	);
}
