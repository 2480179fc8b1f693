import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Drawer } from 'antd';
import type { ReactNode } from 'react';
import { Loaded } from './loaded.tsx';
import { useSheet } from './sheet.ts';

interface Props<Data, Key extends QueryKey> {
	/** The id in the address; without one, the drawer is closed. */
	id: string | undefined;
	title: string;
	/** In pixels. */
	width: number;
	query(id: string): UseQueryOptions<Data, Error, Data, Key>;
	onClose(): void;
	children(data: Data): ReactNode;
}

/** One item, beside its list. */
export function SideDrawer<Data, Key extends QueryKey>({ id, title, width, onClose, ...shown }: Props<Data, Key>) {
	const sheet = useSheet(width);
	return (
		<Drawer open={id !== undefined} onClose={onClose} {...sheet} destroyOnHidden title={title}>
			{id !== undefined && <Content key={id} id={id} {...shown} />}
		</Drawer>
	);
}

type ContentProps<Data, Key extends QueryKey> = Pick<Props<Data, Key>, 'query' | 'children'> & { id: string };

function Content<Data, Key extends QueryKey>({ id, query, children }: ContentProps<Data, Key>) {
	return <Loaded query={useQuery(query(id))}>{children}</Loaded>;
}
