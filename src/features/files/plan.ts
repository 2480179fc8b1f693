/** The plan of an import: the additions and changes of its lines, and their problems. It is data, and changes nothing. */
import { because, type Reason } from '../../platform/vocabulary/reasons.ts';
import { excerpt } from './cells.ts';
import { columnsWith, headingOf, type ImportMode, type Layout } from './layout.ts';
import type { FieldChange, Problem } from './model.ts';
import type { ImportLine, ImportTable } from './read-lines.ts';

/** The maximum number of values in one file that are reported as taken by something out of reach. */
const maxNamedElsewhere = 20;

const messages = {
	required: because('required', '必填'),
	noId: (noun: string, id: number) => because('not_found', `没有编号为 ${id} 的${noun}`),
	none: (noun: string, heading: string) => because('not_found', `没有使用这个${heading}的${noun}`),
	sameThing: (noun: string, line: number) => because('same_as_line', `与第 ${line} 行是同一${noun}`, { line }),
	otherName: (id: number, name: string, headings: string) =>
		because('id_of_another', `编号 ${id} 是${name}，与${headings}不符`),
	taken: (heading: string, holder = '') => because('not_unique', `${heading}已存在${holder && `：${holder}`}`),
} as const;

type Named = Record<string, unknown> & { id: number; name: string };

/** The existing thing with a value of a unique column. */
type HolderOf<Thing> = (column: string, value: unknown) => Thing | undefined;

/** Finds things by the values of unique columns, which have the names of the fields. */
function holdersAmong<Thing extends Named>({ columns }: Layout, things: readonly Thing[]): HolderOf<Thing> {
	const byValue = (column: string) => new Map(things.map((thing) => [thing[column], thing]));
	const holders = new Map(columnsWith(columns, 'unique').map((column) => [column, byValue(column)]));
	return (column, value) => holders.get(column)?.get(value);
}

/** The rules for employees or for stores. `Resolved` is the result of a checked line. */
export interface LineRules<Values, Thing, Resolved> {
	/**
	 * The reason why no line may change a thing. A line with its id is refused for this reason; a line with its key is
	 * refused as if it did not exist, which reveals nothing.
	 */
	outOfReach?(thing: Thing): Reason | undefined;
	/** The result of a line; undefined when a value is missing or wrong, which is reported. */
	resolveLine(line: ImportLine<Values>, before: Thing | undefined): Resolved | undefined;
	/** The words for a thing within reach that has a value of a line. */
	wordsFor?(holder: Thing): string;
	/** The texts of a thing by column, also of one with the result of a line. */
	textsOf(thing: Thing | (Thing & Resolved)): Readonly<Record<string, string>>;
	/** The reason why the caller may not change a thing. */
	refusalOf?(thing: Thing): Reason | undefined;
}

/** The plan of an import. Lines with a problem count nowhere else. */
export interface ImportPlan<Thing = unknown, Resolved = unknown> {
	/** The lines that add something, and its state. */
	create: { line: ImportLine; after: Resolved }[];
	/** Existing things, and their new state. */
	change: { before: Thing; after: Resolved }[];
	unchanged: number;
	fieldChanges: FieldChange[];
	/** The problems in the order of their places, with those found while the file was read. */
	problems: Problem[];
	/** Further members of the answer. */
	summary?: { restored?: number };
	/** The number of values reported as taken by something out of reach. It is limited, so that nobody can count them. */
	namedElsewhere: number;
}

/** Compares the lines of a file with the existing things, of which those with a value of a line are enough. */
export function planLines<Values extends Named, Thing extends Named, Resolved>(
	layout: Layout,
	{ mode, lines }: ImportTable<Values>,
	things: readonly Thing[],
	rules: LineRules<Values, Thing, Resolved>,
): ImportPlan<Thing, Resolved> {
	const counts = { unchanged: 0, namedElsewhere: 0 };
	const plan: ImportPlan<Thing, Resolved> = { create: [], change: [], fieldChanges: [], problems: [], ...counts };
	const holderOf = holdersAmong(layout, things);
	const targetOf = targetFinder(layout, mode, holderOf, rules);
	const reportConflict = conflictReporter(layout, lines, holderOf, rules, plan);
	const [unique, required] = [columnsWith(layout.columns, 'unique'), columnsWith(layout.columns, 'required')];
	for (const line of lines) {
		const target = targetOf(line);
		if (!target) continue;
		const { before } = target;
		for (const column of unique) reportConflict(line, column, before);
		const after = rules.resolveLine(line, before);
		const missing = before ? [] : required.filter((column) => line.values[column] === undefined);
		for (const column of missing) report(line, column, messages.required);
		if (after === undefined || line.problems.length > 0) continue;
		if (before) addChange(plan, rules, line, { before, after });
		else plan.create.push({ line, after });
	}
	const columns = [null, ...Object.keys(layout.columns)];
	const placeOf = ({ column }: Problem) => columns.indexOf(column);
	const problems = lines.flatMap((line) => line.problems.toSorted((a, b) => placeOf(a) - placeOf(b)));
	return { ...plan, problems };
}

/** Adds a problem of a column, or of the whole line. Only the first problem of a column is added. @returns no result */
export function report<Values extends Record<string, unknown>>(
	{ number, values, problems }: ImportLine<Values>,
	column: NoInfer<keyof Values & string> | null,
	reason: Reason,
): undefined {
	if (column !== null && problems.some((problem) => problem.column === column)) return;
	const textIn = (name: string) => excerpt([values[name]].flat().join('、'));
	problems.push({ line: number, column, name: textIn('name'), value: column && textIn(column), reason });
}

/** Returns the function that reports the value of a line that another thing has in a unique column. */
function conflictReporter<Values extends Named, Thing extends Named>(
	{ columns, key }: Layout,
	lines: readonly ImportLine<Values>[],
	holderOf: HolderOf<Thing>,
	{ outOfReach, wordsFor }: LineRules<Values, Thing, unknown>,
	plan: Pick<ImportPlan, 'namedElsewhere'>,
) {
	// The present keys of lines with a key, which other lines can take: no two lines have the same. Other values cannot be
	// exchanged.
	const withKey = lines.filter(({ values }) => values[key] !== undefined);
	const givenUp = new Set(withKey.map(({ values }) => holderOf('id', values.id)?.[key]));
	return (line: ImportLine<Values>, column: string, before: Thing | undefined): void => {
		const value = line.values[column];
		const holder = holderOf(column, value);
		if (!holder || holder.id === before?.id) return;
		const hasHoldersName = column !== 'name' && line.values.name === holder.name && holder.name !== before?.name;
		const reportTaken = (words?: string) => report(line, column, messages.taken(headingOf(columns, column), words));
		if (outOfReach?.(holder) !== undefined) {
			if (plan.namedElsewhere === maxNamedElsewhere) return;
			plan.namedElsewhere += 1;
			reportTaken();
		} else if (before && before.id === line.values.id && hasHoldersName) {
			// A number of another kind, such as that of the row, must not turn one thing into another.
			const headings = `${headingOf(columns, 'name')}和${headingOf(columns, column)}`;
			report(line, 'id', messages.otherName(before.id, before.name, headings));
		} else if (column !== key || !givenUp.has(value)) reportTaken(wordsFor?.(holder));
	};
}

/** Adds the changes of a line, or reports why the caller may not make them. */
function addChange<Values extends Named, Thing extends Named, Resolved>(
	plan: ImportPlan<Thing, Resolved>,
	{ textsOf, refusalOf }: LineRules<Values, Thing, Resolved>,
	line: ImportLine<Values>,
	{ before, after }: { before: Thing; after: Resolved },
): void {
	const textsBefore = textsOf(before);
	const textsAfter = textsOf({ ...before, ...after });
	const columns = Object.keys(textsBefore).filter((column) => textsBefore[column] !== textsAfter[column]);
	if (columns.length === 0) {
		plan.unchanged += 1;
		return;
	}
	const refusal = refusalOf?.(before);
	if (refusal) {
		report(line, null, refusal);
		return;
	}
	plan.change.push({ before, after });
	for (const column of columns) {
		const texts = { before: textsBefore[column] || null, after: textsAfter[column] || null };
		plan.fieldChanges.push({ line: line.number, id: before.id, name: before.name, column, ...texts });
	}
}

/** Finds the thing that a line changes; a new one has no `before`. Undefined when it cannot be told, which is reported. */
function targetFinder<Values extends Named, Thing extends Named>(
	{ noun, key, columns }: Layout,
	mode: ImportMode,
	holderOf: HolderOf<Thing>,
	{ outOfReach }: LineRules<Values, Thing, unknown>,
) {
	const lineOf = new Map<number, number>();
	function claim({ id }: Thing, number: number): Reason | undefined {
		const other = lineOf.getOrInsert(id, number);
		return other === number ? undefined : messages.sameThing(noun, other);
	}
	function absenceOf(values: Partial<Values>, barrier: Reason | undefined): Reason | undefined {
		if (values.id !== undefined) return barrier ?? messages.noId(noun, values.id);
		if (mode === 'upsert') return undefined;
		return values[key] === undefined ? messages.required : messages.none(noun, headingOf(columns, key));
	}
	return (line: ImportLine<Values>): { before?: Thing | undefined } | undefined => {
		const { number, values, problems } = line;
		if (mode === 'add') return {};
		if (problems.some(({ column }) => column === 'id')) return undefined;
		const column = values.id === undefined ? key : 'id';
		const found = holderOf(column, values[column]);
		const barrier = found && outOfReach?.(found);
		const before = barrier === undefined ? found : undefined;
		const refusal = before ? claim(before, number) : absenceOf(values, barrier);
		if (refusal) return report(line, column, refusal);
		return { before };
	};
}
