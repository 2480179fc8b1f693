import { Descriptions, type DescriptionsProps } from 'antd';
import type { ReactNode } from 'react';

/** The fields of an item that have a value, each with its label. */
export function Facts({ items, column = 1 }: Pick<DescriptionsProps, 'column'> & { items: Record<string, ReactNode> }) {
	const lines = Object.entries(items)
		.filter(([, content]) => content)
		.map(([label, children]) => ({ key: label, label, children }));
	return lines.length > 0 && <Descriptions className="facts" colon={false} column={column} items={lines} />;
}
