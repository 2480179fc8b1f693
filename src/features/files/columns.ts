/** What the columns of a spreadsheet are; the screens know them too. */

/** A column, and what an import does with it. */
export interface SheetColumn {
	/** By which it is found. The first one is written; where a file has several of them, the one that stands first here is read. */
	headings: readonly [string, ...string[]];
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
}

/** Columns in their order. */
export type SheetColumns<Name extends string = string> = Readonly<Record<Name, SheetColumn>>;

/** The names of the columns that an import reads. */
export type ReadColumn<Columns extends SheetColumns> = {
	[Name in keyof Columns & string]: Columns[Name] extends { exportOnly: true } ? never : Name;
}[keyof Columns & string];

/** The columns to which a rule applies. */
export function columnsWith(columns: SheetColumns, rule: 'required' | 'unique' | 'clearable'): string[] {
	return Object.keys(columns).filter((name) => columns[name]?.[rule]);
}

/** The heading of a column as it is written. */
export function headingOf(columns: SheetColumns, name: string): string {
	return columns[name]?.headings[0] ?? name;
}

/** The headings as they are written. */
export function headingsOf(columns: SheetColumns): string[] {
	return Object.keys(columns).map((name) => headingOf(columns, name));
}

/** How wide they are written. */
export function widthsOf(columns: SheetColumns): number[] {
	return Object.values(columns).map(({ width }) => width);
}
