import { EllipsisOutlined } from '@ant-design/icons';
import { Drawer } from 'antd';
import { type ReactNode, useState } from 'react';
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

/** The links of a menu. */
export function PageLinks({ links, onChoose }: { links: readonly PageLink[]; onChoose?(): void }) {
	return (
		<ul className="pages">
			{links.map((link) => (
				<li key={link.path}>
					<Link href={link.href} aria-current={link.isCurrent ? 'page' : undefined} onClick={onChoose}>
						{link.icon}
						{link.title}
					</Link>
				</li>
			))}
		</ul>
	);
}

/** The entries within the thumb's reach on a phone, if the account can use them. */
const nearest = ['/overview', '/employees', '/stores'];

const distance = ({ path }: PageLink) => (nearest.includes(path) ? nearest.indexOf(path) : nearest.length);

/** The menu at the bottom of a phone: three pages, and the others behind a button. One page needs no menu. */
export function BottomBar({ links }: { links: readonly PageLink[] }) {
	const [isOpen, setOpen] = useState(false);
	if (links.length < 2) return null;
	const sorted = links.toSorted((a, b) => distance(a) - distance(b));
	const [near, others] = [sorted.slice(0, nearest.length), sorted.slice(nearest.length)];
	return (
		<nav aria-label="主菜单" className="bottom-bar">
			{near.map(({ path, href, title, icon, isCurrent }) => (
				<Link key={path} href={href} aria-current={isCurrent ? 'page' : undefined}>
					{icon}
					{title}
				</Link>
			))}
			{others.length > 0 && (
				<button
					type="button"
					aria-haspopup="dialog"
					className={others.some(({ isCurrent }) => isCurrent) ? 'is-current' : ''}
					onClick={() => setOpen(true)}
				>
					<EllipsisOutlined aria-hidden />
					更多
				</button>
			)}
			<Drawer
				open={isOpen}
				onClose={() => setOpen(false)}
				placement="bottom"
				title="更多"
				className="more-pages"
				styles={{ wrapper: { height: 'auto' } }}
			>
				<nav aria-label="更多页面">
					<PageLinks links={others} onChoose={() => setOpen(false)} />
				</nav>
			</Drawer>
		</nav>
	);
}
