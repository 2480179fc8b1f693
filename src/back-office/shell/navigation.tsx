import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A page as its link shows it. */
export interface PageLink {
	path: string;
	/** With the filters that its list had last. */
	href: string;
	title: string;
	pinyin: string;
	icon: ReactNode;
	isCurrent: boolean;
}

interface Props {
	links: readonly PageLink[];
	/** On a phone all of them fit into a bar at the bottom. */
	isBar: boolean;
}

/** The menu of the pages. */
export function MainMenu({ links, isBar }: Props) {
	return (
		<nav aria-label="主菜单" className={isBar ? 'bottom-bar' : undefined}>
			<ul className="pages">
				{links.map(({ path, href, title, icon, isCurrent }) => (
					<li key={path}>
						<Link href={href} aria-current={isCurrent ? 'page' : undefined}>
							{icon}
							{title}
						</Link>
					</li>
				))}
			</ul>
		</nav>
	);
}
