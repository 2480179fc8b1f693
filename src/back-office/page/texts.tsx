import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { type StoreStatus, statusLabels } from '../../platform/vocabulary/status.ts';
import { showShortTime, showTime } from '../api/time.ts';

/** A timestamp of the service in the time zone of the browser, as short as it is clear. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
	return (
		<time dateTime={at} className="time">
			{exact ? showTime(at, true) : showShortTime(at)}
		</time>
	);
}

/** A text, or a dash where there is none. */
export function Optional({ text }: { text: string | null }) {
	return text === null ? <span className="absent">—</span> : <span className="multiline">{text}</span>;
}

/** Somebody's phone; on the screen of a phone it can be called. */
export function Phone({ of: phone }: { of: string }) {
	const shown = showPhone(phone);
	if (!window.matchMedia('(max-width: 767px)').matches) return <span className="phone">{shown}</span>;
	return (
		<a className="phone" href={`tel:${phone}`}>
			{shown}
		</a>
	);
}

/** A tag for a store that is not enabled, which is the normal case. */
export function statusTag(status: StoreStatus): ReactNode {
	return status !== 'ACTIVE' && <Tag>{statusLabels[status]}</Tag>;
}

/** A text that may be cut in a table, because it can be as long as its field; pointing at it shows all of it. */
export function Clipped({ children }: { children: string }) {
	return (
		<span className="clipped" title={children}>
			{children}
		</span>
	);
}

/** The heading of a part of a page, with a number or a note beside it. */
export function Heading({ count, children }: { count: ReactNode; children: string }) {
	return (
		<h2>
			{children} <span className="count">{count}</span>
		</h2>
	);
}

/** A number as it is read. */
export function numberOf(count: number): string {
	return count.toLocaleString('zh-CN');
}

/** How many there are on all pages, such as `10,000+`. */
export function totalOf({ total, totalIsMinimum }: { total: number; totalIsMinimum?: boolean }): string {
	return `${numberOf(total)}${totalIsMinimum ? '+' : ''}`;
}

/** A number of employees in a sentence. */
export function people(count: number): string {
	return `${numberOf(count)} 名员工`;
}
