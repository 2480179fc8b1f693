import { Descriptions, type DescriptionsProps } from 'antd';
import type { ReactNode } from 'react';

interface Props {
	items: Record<string, ReactNode>;
	column?: DescriptionsProps['column'];
}

/** The fields of one item, each with its label. */
export function Facts({ items, column = 1 }: Props) {
	const lines = Object.entries(items).map(([label, children]) => ({ key: label, label, children }));
	return <Descriptions className="facts" column={column} items={lines} />;
}
