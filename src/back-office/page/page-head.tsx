import { type ReactNode, useContext } from 'react';
import { Link } from 'wouter';
import { ListAddress } from './search.ts';
import { useTitle } from './title.ts';

interface Props {
	/** The list that the page belongs to. */
	back: { href: string; title: string };
	title: string;
	/** Before the title, and behind it. */
	mark?: ReactNode;
	tags?: ReactNode;
	/** The actions of the page. */
	children?: ReactNode;
}

/** The heading of a page, with the way back to the list as it was, and the actions. */
export function PageHead({ back, title, mark, tags, children }: Props) {
	const addressOf = useContext(ListAddress);
	useTitle(title);
	return (
		<header className="page-head">
			<div>
				<Link href={addressOf(back.href)} className="back">
					← {back.title}
				</Link>
				<div className="named">
					{mark}
					<h1>{title}</h1>
					{tags}
				</div>
			</div>
			<div className="actions">{children}</div>
		</header>
	);
}
