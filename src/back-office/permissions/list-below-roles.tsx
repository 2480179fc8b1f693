import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rolesTitle, useOwn } from '../account/own.ts';
import { RowActions, type RowActionsProps } from '../forms/actions.tsx';
import { AddButton } from '../forms/opening.tsx';
import { type Column, Listing } from '../page/listing.tsx';
import { PageHead } from '../page/page-head.tsx';

interface Props<Row> {
	title: string;
	/** The noun for one of them. */
	noun: string;
	nameOf(row: Row): string;
	/** The explanation of their purpose. */
	children: string;
	query: UseQueryResult<Row[]>;
	columns: Column<Row>[];
	/** The actions of a row, for an account that gives permissions; false for a row without any. */
	actionsOf(row: Row): Omit<RowActionsProps<Row>, 'noun' | 'row' | 'nameOf'> | false;
	/** The form that adds one. */
	form: ReactNode;
}

/** A short list that belongs to roles, on a page below theirs. */
export function ListBelowRoles<Row extends { id: number }>(list: Props<Row>) {
	const { title, noun, nameOf, children, query, form } = list;
	const own = useOwn();
	const manages = own.can('permission:manage');
	const hasActions = manages && query.data?.some((row) => list.actionsOf(row));
	const actions = {
		title: '操作',
		render(row: Row) {
			const given = list.actionsOf(row);
			return given && <RowActions noun={noun} row={row} nameOf={nameOf} {...given} />;
		},
		width: 170,
	};
	return (
		<>
			<PageHead back={{ href: '/roles', title: rolesTitle(own) ?? '' }} title={title}>
				{manages && <AddButton form={form}>{`新增${noun}`}</AddButton>}
			</PageHead>
			<p className="absent">{children}</p>
			<Listing
				label={title}
				query={query}
				columns={[...list.columns, ...(hasActions ? [actions] : [])]}
				empty={`还没有${title}`}
			/>
		</>
	);
}
