/** The columns and the layout of a spreadsheet with employees or stores, for the service and for the pages. */
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { statusLabels } from '../../platform/vocabulary/status.ts';

const { ACTIVE: enabled, INACTIVE: disabled } = statusLabels;
/** The explanation and the example of a status in the template. */
export const statusExplanation = [`${enabled} 或 ${disabled}，空白为${enabled}`, enabled] as const;

/** A column and its rules for imports. */
interface SheetColumn {
	/** The possible headings. Exports write the first one. Of several in a file, an import reads the first of this list. */
	headings: readonly [string, string, ...string[]];
	/** The width in exports, in characters. */
	width: number;
	/** Whether a new line must have a value. */
	required?: true;
	/** Whether values are unique among those that are not deleted. */
	unique?: true;
	/** Whether an empty cell clears the value; an empty cell of another column changes nothing. */
	clearable?: true;
	/** The explanation and the example in the template. */
	explanation?: readonly [rule: string, example: string];
}

export type SheetColumns<Name extends string = string> = Readonly<Record<Name, SheetColumn>>;

/** The columns to which a rule applies. */
export function columnsWith(columns: SheetColumns, rule: 'required' | 'unique' | 'clearable'): string[] {
	return Object.keys(columns).filter((name) => columns[name]?.[rule]);
}

/** The heading of a column in exports and messages. */
export function headingOf(columns: SheetColumns, name: string): string {
	return columns[name]?.headings[0] ?? name;
}

/** The headings in Chinese and in English, for the documentation. */
export function documentedHeadings(columns: SheetColumns): string {
	return Object.values(columns)
		.map(({ headings: [chinese, english] }) => `${chinese}/${english}`)
		.join(', ');
}

/** The effect of empty cells, for the documentation. */
export function documentedClearing(columns: SheetColumns): string {
	const clearable = new Intl.ListFormat('en-GB').format(columnsWith(columns, 'clearable'));
	return `An empty cell clears ${clearable}, and leaves everything else as it is.`;
}

/** The headings and the widths of columns in a sheet. */
export function headOf(columns: readonly SheetColumn[]) {
	return { headings: columns.map(({ headings: [heading] }) => heading), widths: columns.map(({ width }) => width) };
}

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

/** The sheet of a resource. */
export interface ResourceSheet<Column extends string = string> {
	/** The name in paths and of files. */
	resource: 'employees' | 'stores';
	/** The Chinese word for a line, such as 员工. */
	noun: string;
	columns: SheetColumns<Column>;
	/** The unique column that identifies lines without an id. */
	key: Column;
}

export interface Layout<Column extends string = string> extends ResourceSheet<Column> {
	parsers: Readonly<Record<Column, CellParser>>;
}
