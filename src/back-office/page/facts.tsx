import type { ReactNode } from 'react';

/** The facts about something, each with its label. A fact without a value is left out. */
export function Facts({ items }: { items: Record<string, ReactNode> }) {
	const known = Object.entries(items).filter(([, content]) => content);
	if (known.length === 0) return null;
	return (
		<dl className="facts">
			{known.map(([label, content]) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd>{content}</dd>
				</div>
			))}
		</dl>
	);
}
