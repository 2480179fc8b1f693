/** The layout of a spreadsheet with employees or stores. */
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import type { SheetColumns } from './columns.ts';

/** The effect of an import: only new lines, new lines and changes, or only changes. */
export const importModes = ['add', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** With `auto` the file decides: one with a column of ids is for `upsert`. */
export const askedModes = [...importModes, 'auto'] as const;
export type AskedMode = (typeof askedModes)[number];

/** The value of a cell, or its problem. */
export type CellReading<Value> = { value: Value } | { problem: Reason };

/** Reads the text of a cell; it is empty only in a clearable column. */
export type CellParser<Value = unknown> = (text: string) => CellReading<Value>;

/** The values that parsers read, by column. */
export type ValuesOf<Parsers> = {
	[Column in keyof Parsers]: Parsers[Column] extends CellParser<infer Value> ? Value : never;
};

export interface Layout<Column extends string = string> {
	kind: 'employees' | 'stores';
	/** The Chinese word for a line, such as 员工. */
	noun: string;
	columns: SheetColumns<Column>;
	/** The unique column that identifies lines without an id. */
	key: Column;
	parsers: Readonly<Record<Column, CellParser>>;
}

/** The columns that an import reads. With `add` it ignores ids, so that a file from another installation can be added. */
export function columnsOf({ columns }: Layout, mode: ImportMode): string[] {
	return Object.keys(columns).filter((name) => mode !== 'add' || name !== 'id');
}

/** A line of a file. A missing value stays as it is, or is among the problems of the table. */
export type ImportLine<Values = Record<string, unknown>> = { number: number } & Partial<Values>;
