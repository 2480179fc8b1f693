import type { ReactNode } from 'react';
import { chainName } from '../api/chain.ts';
import { useValue } from '../api/value.ts';

/** The first character of the chain's name, or the icon of a shop. The page has the same icon. */
export function Mark() {
	const [initial] = useValue(chainName) ?? '';
	return (
		<span className="mark" aria-hidden>
			{initial ?? (
				<svg viewBox="0 0 32 32" role="presentation">
					<path d="M7 14l2-6h14l2 6v1a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM9 19v6h14v-6" />
				</svg>
			)}
		</span>
	);
}

/** The heading of a page that signs people in or out. */
export function Heading({ title, children }: { title: string; children?: ReactNode }) {
	return (
		<>
			<Mark />
			<h1 id="sign-in-title">{title}</h1>
			{children && <p className="sign-in-subtitle">{children}</p>}
		</>
	);
}
