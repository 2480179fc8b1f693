/** What the sheets of one kind look like, and how their cells are read. */

/** How an import treats what is there already: only new ones, new ones and changes, only changes. */
export const importModes = ['add', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** What is read from a cell, or what is wrong with it. */
export type Outcome<Value> = { value: Value } | { problem: string };

/** How a text is read; undefined stands for the empty cell of something new, or of a clearable column. */
export type Parser<Value = unknown> = (text: string | undefined) => Outcome<Value>;

/** What parsers read, by column. */
export type ValuesOf<Parsers> = {
	[Column in keyof Parsers]: Parsers[Column] extends Parser<infer Value> ? Value : never;
};

/** The layout of a kind. */
export interface Layout<Column extends string = string> {
	kind: 'employees' | 'stores';
	/** What a line stands for: 员工. */
	noun: string;
	/**
	 * The columns in their order, each with the headings by which it is found. The first one is written; where a file has
	 * several of them, the one that stands first here is read.
	 */
	headings: Readonly<Record<Column, readonly string[]>>;
	/** The columns that something new must have. */
	required: readonly Column[];
	/** The column by which lines without an id are matched; no two lines have the same. */
	key: Column;
	/** The columns whose empty cells clear what is there; an empty cell of another one changes nothing. */
	clearable: readonly Column[];
	/** How each column is read. */
	parsers: Readonly<Record<Column, Parser>>;
}

/** The columns that an import reads. Only changes need to know ids: a file with 编号 can also be added elsewhere. */
export function columnsOf({ headings }: Layout, mode: ImportMode): string[] {
	const columns = Object.keys(headings);
	return mode === 'add' ? columns.filter((column) => column !== 'id') : columns;
}

/** The heading of a column as it is written. */
export function headingOf({ headings }: Layout, column: string): string {
	return headings[column]?.[0] ?? column;
}

/** A line of a file. A missing value is to stay as it is, or is among the problems of the table. */
export type ImportLine<Values = Record<string, unknown>> = { number: number } & Partial<Values>;
