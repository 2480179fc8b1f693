import type { ReactNode } from 'react';

/** Facts that are seldom needed, behind one word. */
export function More({ isOpen = false, children }: { isOpen?: boolean; children: ReactNode }) {
	return (
		<details className="more" open={isOpen}>
			<summary>更多</summary>
			{children}
		</details>
	);
}
