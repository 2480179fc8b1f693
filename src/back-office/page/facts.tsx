import { Descriptions, type DescriptionsProps } from 'antd';
import type { ReactNode } from 'react';

interface Props {
	/** By their labels. */
	items: Record<string, ReactNode>;
	column?: DescriptionsProps['column'];
}

/** What is known about one thing, line by line. */
export function Facts({ items, column = 1 }: Props) {
	const lines = Object.entries(items).map(([label, children]) => ({ key: label, label, children }));
	return <Descriptions className="facts" column={column} items={lines} />;
}
