import { Descriptions, type DescriptionsProps } from 'antd';
import type { ReactNode } from 'react';

/** The fields of an item that have a value, each with its label. */
export function Facts({ items, column = 1 }: Pick<DescriptionsProps, 'column'> & { items: Record<string, ReactNode> }) {
	const lines = Object.entries(items)
		.filter(([, content]) => content)
		.map(([label, children]) => ({ key: label, label, children }));
	if (lines.length === 0) return null;
	const styles = { label: { flex: 'none', width: '6em' } };
	return <Descriptions className="facts" colon={false} column={column} items={lines} styles={styles} />;
}
