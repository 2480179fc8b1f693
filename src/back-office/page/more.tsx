import type { ReactNode } from 'react';

/** Rarely needed facts, behind one word. */
export function More({ isOpen = false, children }: { isOpen?: boolean; children: ReactNode }) {
	return (
		<details className="more" open={isOpen}>
			<summary>更多</summary>
			{children}
		</details>
	);
}
