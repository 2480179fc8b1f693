import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { type StoreStatus, statusLabels } from '../../platform/vocabulary/status.ts';
import { showShortTime } from '../api/time.ts';
import { useIsPhone } from './screen.ts';

/** A timestamp of the service in the time zone of the browser, shortened as far as it stays clear. */
export function Time({ at }: { at: string }) {
	return (
		<time dateTime={at} className="time">
			{showShortTime(at)}
		</time>
	);
}

/** A text, or a dash for none. */
export function Optional({ text }: { text: string | null }) {
	return text === null ? <span className="absent">—</span> : <span className="multiline">{text}</span>;
}

/** A phone number. On a phone it is a link for a call. */
export function Phone({ of: phone }: { of: string }) {
	const shown = showPhone(phone);
	if (!useIsPhone()) return <span className="phone">{shown}</span>;
	return (
		<a className="phone" href={`tel:${phone}`}>
			{shown}
		</a>
	);
}

/** A tag for a disabled store; nothing for the normal case. */
export function statusTag(status: StoreStatus): ReactNode {
	return status !== 'ACTIVE' && <Tag>{statusLabels[status]}</Tag>;
}

/** A text that a table may cut at its end, because it can be long. Pointing at it shows all of it. */
export function Clipped({ children }: { children: string }) {
	return (
		<span className="clipped" title={children} dir="auto">
			{children}
		</span>
	);
}

/** The heading of a part of a page, with a count or a note beside it. */
export function Heading({ count, children }: { count: ReactNode; children: string }) {
	return (
		<h2>
			{children} <span className="count">{count}</span>
		</h2>
	);
}

/** A number with separators, as people read it. */
export function numberOf(count: number): string {
	return count.toLocaleString('zh-CN');
}

/** The number of rows on all pages, such as `10,000+`. */
export function totalOf({ total, totalIsMinimum }: { total: number; totalIsMinimum?: boolean }): string {
	return `${numberOf(total)}${totalIsMinimum ? '+' : ''}`;
}

/** The first of some texts, and the words for all of them if there are more: `人民路店 12 人、静安寺店 3 人 等 5 项`. */
export function firstOf(texts: readonly string[], all: string, most = 10): string {
	return `${texts.slice(0, most).join('、')}${texts.length > most ? all : ''}`;
}

/** A number of employees in a sentence. */
export function people(count: number): string {
	return `${numberOf(count)} 名员工`;
}
