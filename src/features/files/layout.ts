/** What the sheets of one kind look like, and how their cells are read. */
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import type { SheetColumns } from './columns.ts';

/** How an import treats what is there already: only new ones, new ones and changes, only changes. */
export const importModes = ['add', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** With `auto` the file decides: one with a column of ids changes what is there, too. */
export const askedModes = [...importModes, 'auto'] as const;
export type AskedMode = (typeof askedModes)[number];

/** What is read from a cell, or what is wrong with it. */
export type CellReading<Value> = { value: Value } | { problem: Reason };

/** How a text is read; the empty one is that of a clearable column. */
export type CellParser<Value = unknown> = (text: string) => CellReading<Value>;

/** What parsers read, by column. */
export type ValuesOf<Parsers> = {
	[Column in keyof Parsers]: Parsers[Column] extends CellParser<infer Value> ? Value : never;
};

export interface Layout<Column extends string = string> {
	kind: 'employees' | 'stores';
	/** What a line stands for: 员工. */
	noun: string;
	columns: SheetColumns<Column>;
	/** The unique column by which lines without an id are matched. */
	key: Column;
	parsers: Readonly<Record<Column, CellParser>>;
}

/** The columns that an import reads. Only changes need to know ids: a file with 编号 can also be added elsewhere. */
export function columnsOf({ columns }: Layout, mode: ImportMode): string[] {
	return Object.entries(columns)
		.filter(([name, { exportOnly }]) => !exportOnly && (mode !== 'add' || name !== 'id'))
		.map(([name]) => name);
}

/** A line of a file. A missing value is to stay as it is, or is among the problems of the table. */
export type ImportLine<Values = Record<string, unknown>> = { number: number } & Partial<Values>;
