import { type ReactNode, useContext, useEffect } from 'react';
import { Link } from 'wouter';
import { createValue } from '../api/value.ts';
import { ListAddress } from './search.ts';

/** The item of the page, such as a person. The title of the tab begins with it. */
export const titleItem = createValue<string | undefined>(undefined);

interface Props {
	/** The list that the page belongs to. Without it, the page is a list or the page of today. */
	back?: { href: string; title: string };
	title: string;
	/** The elements before and after the title. */
	mark?: ReactNode;
	tags?: ReactNode;
	children?: ReactNode;
}

/** The heading of a page and its actions. An item's page links back to its list as it was. */
export function PageHead({ back, title, mark, tags, children }: Props) {
	const addressOf = useContext(ListAddress);
	const item = back && title;
	useEffect(() => {
		titleItem.set(item);
		return () => titleItem.set(undefined);
	}, [item]);
	return (
		<header className="page-head">
			<div>
				{back && (
					<Link href={addressOf(back.href)} className="back">
						← {back.title}
					</Link>
				)}
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
