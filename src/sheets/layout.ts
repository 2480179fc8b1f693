/** What the sheets of one kind look like, and how their cells are read. */

/** How an import treats what is there already: only new ones, new ones and changes, only changes. */
export const importModes = ['add', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

export type ColumnOf<Values> = keyof Values & string;

/** What is read from a cell, or what is wrong with it. */
export type Outcome<Value> = { value: Value } | { problem: string };

/** The layout of a kind; `Values` has what its columns hold. */
export interface Layout<Values extends object> {
	kind: 'employees' | 'stores';
	/** What a line stands for: 员工. */
	noun: string;
	/**
	 * The columns in their order, each with the headings by which it is found. The first one is written; where a file has
	 * several of them, the one that stands first here is read.
	 */
	headings: Readonly<Record<ColumnOf<Values>, readonly string[]>>;
	/** The columns that something new must have. */
	required: readonly ColumnOf<Values>[];
	/** The column by which lines without an id are matched; no two lines have the same. */
	key: ColumnOf<Values>;
	/** The columns whose empty cells clear what is there; an empty cell of another one changes nothing. */
	clearable: readonly ColumnOf<Values>[];
	/** How the text of each column is read; undefined stands for the empty cell of something new, or of a clearable column. */
	parsers: { readonly [Column in ColumnOf<Values>]: (text: string | undefined) => Outcome<Values[Column]> };
}

/** The columns that an import reads. Only changes need to know ids: a file with 编号 can also be added elsewhere. */
export function columnsOf<Values extends object>({ headings }: Layout<Values>, mode: ImportMode): ColumnOf<Values>[] {
	const columns = Object.keys(headings) as ColumnOf<Values>[];
	return mode === 'add' ? columns.filter((column) => column !== 'id') : columns;
}
