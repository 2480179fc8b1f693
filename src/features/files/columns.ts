/** What the columns of a spreadsheet are; the screens know them too. */

import { statusLabels } from '../../platform/vocabulary/status.ts';

const { ACTIVE: enabled, INACTIVE: disabled } = statusLabels;
/** How a status is written in the workbook to fill in. */
export const statusExplanation = [`${enabled} 或 ${disabled}，空白为${enabled}`, enabled] as const;

/** A column, and what an import does with it. */
export interface SheetColumn {
	/** By which it is found. The first one is written; where a file has several of them, the one that stands first here is read. */
	headings: readonly [string, string, ...string[]];
	/** How wide it is written, in characters. */
	width: number;
	/** Whether something new must have it. */
	required?: true;
	/** Whether no two that are not deleted may have the same. */
	unique?: true;
	/** Whether an empty cell clears what is there; an empty cell of another column changes nothing. */
	clearable?: true;
	/** Whether it is only exported: an import does not read it, and says so. */
	exportOnly?: true;
	/** Whether it holds the text of the field of the same name. */
	text?: true;
	/** The rule for a cell and an example, in the workbook to fill in. */
	explanation?: readonly [rule: string, example: string];
}

/** Columns in their order. */
export type SheetColumns<Name extends string = string> = Readonly<Record<Name, SheetColumn>>;

/** The names of the columns that an import reads. */
export type ReadColumn<Columns extends SheetColumns> = Exclude<
	keyof Columns & string,
	ColumnWith<Columns, 'exportOnly'>
>;

/** The names of the columns to which a rule applies. */
export type ColumnWith<Columns extends SheetColumns, Rule extends keyof SheetColumn> = {
	[Name in keyof Columns & string]: Columns[Name] extends { [Of in Rule]: true } ? Name : never;
}[keyof Columns & string];

/** The columns to which a rule applies. */
export function columnsWith(columns: SheetColumns, rule: 'required' | 'unique' | 'clearable' | 'text'): string[] {
	return Object.keys(columns).filter((name) => columns[name]?.[rule]);
}

/** The heading of a column as it is written. */
export function headingOf(columns: SheetColumns, name: string): string {
	return columns[name]?.headings[0] ?? name;
}

/** The headings in Chinese and in English, for the documentation. */
export function documentedHeadings(columns: SheetColumns): string {
	return Object.values(columns)
		.map(({ headings: [chinese, english] }) => `${chinese}/${english}`)
		.join(', ');
}

/** The headings as they are written. */
export function headingsOf(columns: SheetColumns): string[] {
	return Object.keys(columns).map((name) => headingOf(columns, name));
}

/** The texts of a line in the order of the columns. */
export function rowOf(columns: SheetColumns, texts: Readonly<Record<string, string>>): string[] {
	return Object.keys(columns).map((name) => texts[name] ?? '');
}

/** How wide they are written. */
export function widthsOf(columns: SheetColumns): number[] {
	return Object.values(columns).map(({ width }) => width);
}
