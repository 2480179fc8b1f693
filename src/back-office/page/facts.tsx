import type { ReactNode } from 'react';

/** The facts about something, each with its label. A fact without a value is left out. */
export function Facts({ items, className = 'facts' }: { items: Record<string, ReactNode>; className?: string }) {
	const known = Object.entries(items).filter(([, content]) => content);
	if (known.length === 0) return null;
	return (
		<dl className={className}>
			{known.map(([label, content]) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd>{content}</dd>
				</div>
			))}
		</dl>
	);
}

/** Rarely needed facts, behind one word. */
export function More({ isOpen = false, children }: { isOpen?: boolean; children: ReactNode }) {
	return (
		<details className="more" open={isOpen}>
			<summary>更多</summary>
			{children}
		</details>
	);
}
