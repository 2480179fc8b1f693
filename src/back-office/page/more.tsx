import type { ReactNode } from 'react';

/** What is seldom asked, behind one word. */
export function More({ children }: { children: ReactNode }) {
	return (
		<details className="more">
			<summary>更多</summary>
			{children}
		</details>
	);
}
