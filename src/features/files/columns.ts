/** The columns of a spreadsheet, for the service and for the pages. */
import { statusLabels } from '../../platform/vocabulary/status.ts';

const { ACTIVE: enabled, INACTIVE: disabled } = statusLabels;
/** The explanation and the example of a status in the template. */
export const statusExplanation = [`${enabled} 或 ${disabled}，空白为${enabled}`, enabled] as const;

/** A column and its rules for imports. */
export interface SheetColumn {
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

/** The headings and the widths of columns in a sheet. */
export function headOf(columns: readonly SheetColumn[]) {
	return { headings: columns.map(({ headings: [heading] }) => heading), widths: columns.map(({ width }) => width) };
}
