import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface Props {
	/** The list that the page belongs to. */
	back: { href: string; title: string };
	title: string;
	/** The actions of the page. */
	children?: ReactNode;
}

/** The heading of a page, with the way back and the actions. */
export function PageHead({ back, title, children }: Props) {
	return (
		<header className="page-head">
			<div>
				<Link href={back.href}>← {back.title}</Link>
				<h1>{title}</h1>
			</div>
			<div className="actions">{children}</div>
		</header>
	);
}
