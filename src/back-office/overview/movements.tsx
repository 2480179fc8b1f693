import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Overview } from '../../overview/model.ts';
import { historyMovements, movementWords } from '../../vocabulary/history.ts';
import { useOwn } from '../account/own.ts';
import { numberOf } from '../page/texts.tsx';

const units = { hired: '人', left: '人', moved: '人次', newRoles: '人次' } as const;

/** What happened to people in seven days, in one sentence; only the super administrator sees the records behind it. */
export function Movements({ movements }: Pick<Overview, 'movements'>) {
	const seesHistory = useOwn().can('*');
	const { from, busiest } = movements;
	const parts = historyMovements.flatMap((movement) => {
		const number = movements[movement];
		if (number === 0) return [];
		const text = `${movementWords[movement]} ${numberOf(number)} ${units[movement]}`;
		const href = `/history?movement=${movement}&from=${from}`;
		return [{ movement, shown: seesHistory ? <InText href={href}>{text}</InText> : text }];
	});
	return (
		<>
			<h2>近 7 天</h2>
			<p className="news">
				{parts.length === 0 && '没有人员变动'}
				{parts.map(({ movement, shown }, index) => (
					<span key={movement}>
						{index > 0 && '、'}
						{shown}
						{movement === 'hired' && busiest && (
							<>
								（<InText href={`/stores/${busiest.storeId}`}>{busiest.storeName}</InText>最多）
							</>
						)}
					</span>
				))}
			</p>
		</>
	);
}

function InText({ href, children }: { href: string; children: ReactNode }) {
	return (
		<Link href={href} className="in-text">
			{children}
		</Link>
	);
}
