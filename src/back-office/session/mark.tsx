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

interface BoxProps {
	title: string;
	subtitle?: string | undefined;
	children?: ReactNode;
}

/** The content of a page that signs people in or out. */
export function SignInBox({ title, subtitle, children }: BoxProps) {
	return (
		<div className="sign-in-box">
			<Mark />
			<h1 id="sign-in-title">{title}</h1>
			{subtitle && <p className="sign-in-subtitle">{subtitle}</p>}
			{children}
		</div>
	);
}
