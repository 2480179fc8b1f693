/** The plan of an import: the additions and changes of its lines, and their problems. It is data, and changes nothing. */
import { because, type Reason } from '../../platform/vocabulary/reasons.ts';
import { columnsWith, headingOf, type ImportLine, type ImportMode, type Layout } from './layout.ts';
import type { FieldChange, Problem } from './model.ts';
import { excerpt, type ImportTable } from './read-lines.ts';

/** The maximum number of values in one file that are reported as taken by something out of reach. */
const maxNamedElsewhere = 20;

const messages = {
	required: because('required', '必填'),
	noId: (noun: string, id: number) => because('not_found', `没有编号为 ${id} 的${noun}`),
	none: (noun: string, heading: string) => because('not_found', `没有使用这个${heading}的${noun}`),
	sameThing: (noun: string, line: number) => because('same_as_line', `与第 ${line} 行是同一${noun}`, { line }),
	taken: (heading: string, holder = '') => because('not_unique', `${heading}已存在${holder && `：${holder}`}`),
} as const;

/** Reports a problem of a column, or of a whole line. */
export type Report<Line> = (column: (keyof Line & string) | null, reason: Reason) => void;

type ExportTexts = Readonly<Record<string, string>>;

/** The existing thing with a value of a unique column. */
type HolderOf<Thing> = (column: string, value: unknown) => Thing | undefined;

/** Finds things by the values of unique columns, which have the names of the fields. */
function holdersAmong<Thing extends object>({ columns }: Layout, things: readonly Thing[]): HolderOf<Thing> {
	const byValue = (column: string) => new Map(things.map((thing) => [valueIn(thing, column), thing]));
	const holders = new Map(columnsWith(columns, 'unique').map((column) => [column, byValue(column)]));
	return (column, value) => (value == null ? undefined : holders.get(column)?.get(value));
}

/** The rules for employees or for stores. `Resolved` is the result of a checked line. */
export interface LineRules<Line, Thing, Resolved> {
	/**
	 * The reason why no line may change a thing. A line with its id is refused for this reason; a line with its key is
	 * refused as if it did not exist, which reveals nothing.
	 */
	outOfReach?(thing: Thing): Reason | undefined;
	/** The result of a line; undefined when a value is missing or wrong, which is reported. */
	resolveLine(line: Line, before: Thing | undefined, report: Report<Line>): Resolved | undefined;
	/** The reason why the id of a line must be a mistake, when another thing has one of its values. */
	mistakeOf?(line: Line, before: Thing, holder: Thing): Reason | undefined;
	/** The words for a thing within reach that has a value of a line. */
	wordsFor?(holder: Thing): string;
	textsOf(thing: Thing): ExportTexts;
	textsAfter(before: Thing, after: Resolved): ExportTexts;
	/** The reason why the caller may not change a thing. */
	refusalOf?(thing: Thing): Reason | undefined;
}

/** The plan of an import. Lines with a problem count nowhere else. */
export interface ImportPlan<Thing = unknown, Resolved = unknown> {
	create: Resolved[];
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
export function planLines<
	Line extends ImportLine<{ id: number }>,
	Thing extends { id: number; name: string },
	Resolved,
>(
	layout: Layout,
	{ mode, lines, problems: found }: ImportTable<Line>,
	things: readonly Thing[],
	rules: LineRules<Line, Thing, Resolved>,
): ImportPlan<Thing, Resolved> {
	const counts = { unchanged: 0, namedElsewhere: 0 };
	const plan: ImportPlan<Thing, Resolved> = { create: [], change: [], fieldChanges: [], problems: [], ...counts };
	const problems = Map.groupBy(found, ({ line }) => line);
	const holderOf = holdersAmong(layout, things);
	const targetOf = targetFinder(layout, mode, holderOf, rules);
	const reportConflicts = conflictReporter(layout, lines, holderOf, rules, plan);
	const required = columnsWith(layout.columns, 'required');
	for (const line of lines) {
		const ofLine = problems.getOrInsertComputed(line.number, () => []);
		const findings = findingsOn(line, ofLine);
		const target = targetOf(line, findings);
		if (!target) continue;
		const { before } = target;
		reportConflicts(line, before, findings);
		const after = rules.resolveLine(line, before, findings.report);
		if (!before) findings.requireAll(required);
		if (after === undefined || findings.problems.length > 0) continue;
		if (before) addChange(plan, rules, line, { before, after }, findings);
		else plan.create.push(after);
	}
	return { ...plan, problems: inOrder(layout, Array.from(problems.values()).flat()) };
}

/** Sorts problems by line and column; those of a whole line come first. */
function inOrder(layout: Layout, problems: readonly Problem[]): Problem[] {
	const columns = [null, ...Object.keys(layout.columns)];
	return problems.toSorted((a, b) => a.line - b.line || columns.indexOf(a.column) - columns.indexOf(b.column));
}

/** Reports the values of a line that another thing has, in any unique column. */
function conflictReporter<Line extends ImportLine<{ id: number }>, Thing extends { id: number }>(
	{ columns, key }: Layout,
	lines: readonly Line[],
	holderOf: HolderOf<Thing>,
	{ outOfReach, mistakeOf, wordsFor }: LineRules<Line, Thing, unknown>,
	plan: Pick<ImportPlan, 'namedElsewhere'>,
) {
	// The keys that other lines can take. Values of other columns cannot be exchanged.
	const givenUp = new Set<unknown>();
	for (const line of lines) {
		const [before, after] = [holderOf('id', line.id), valueIn(line, key)];
		if (before && after !== undefined && after !== valueIn(before, key)) givenUp.add(valueIn(before, key));
	}
	function conflictOf(column: string, line: Line, before: Thing | undefined) {
		const holder = holderOf(column, valueIn(line, column));
		if (!holder || holder.id === before?.id) return undefined;
		const takenBy = (words?: string) => ({ column, reason: messages.taken(headingOf(columns, column), words) });
		if (outOfReach?.(holder) !== undefined) {
			if (plan.namedElsewhere === maxNamedElsewhere) return undefined;
			plan.namedElsewhere += 1;
			return takenBy();
		}
		const mistake = before && mistakeOf?.(line, before, holder);
		if (mistake !== undefined) return { column: 'id', reason: mistake };
		const isGivenUp = before !== undefined && column === key && givenUp.has(valueIn(line, column));
		return isGivenUp ? undefined : takenBy(wordsFor?.(holder));
	}
	const unique = columnsWith(columns, 'unique');
	return (line: Line, before: Thing | undefined, { report }: Findings): void => {
		for (const column of unique) {
			const conflict = conflictOf(column, line, before);
			if (conflict) report(conflict.column, conflict.reason);
		}
	};
}

/** Adds the changes of a line, or reports why the caller may not make them. */
function addChange<Line extends ImportLine, Thing extends { id: number; name: string }, Resolved>(
	plan: ImportPlan<Thing, Resolved>,
	{ textsOf, textsAfter, refusalOf }: LineRules<Line, Thing, Resolved>,
	{ number: line }: Line,
	change: { before: Thing; after: Resolved },
	{ report }: Findings,
): void {
	const { id, name } = change.before;
	const [were, become] = [textsOf(change.before), textsAfter(change.before, change.after)];
	const columns = Object.keys(were).filter((column) => were[column] !== become[column]);
	const refusal = columns.length === 0 ? undefined : refusalOf?.(change.before);
	if (refusal !== undefined) return void report(null, refusal);
	if (columns.length === 0) plan.unchanged += 1;
	else plan.change.push(change);
	for (const column of columns) {
		const texts = { before: were[column] || null, after: become[column] || null };
		plan.fieldChanges.push({ line, id, name, column, ...texts });
	}
}

/** The problems of a line, with functions that add to them. */
function findingsOn(line: ImportLine, problems: Problem[]) {
	const textIn = (column: string) => excerpt([valueIn(line, column)].flat().join('、'));
	const isWrong = (column: string) => problems.some((problem) => problem.column === column);
	/** Reports a problem. Of several in one column, the first one counts. */
	function report(column: string | null, reason: Reason): void {
		if (column !== null && isWrong(column)) return;
		problems.push({ line: line.number, column, name: textIn('name'), value: column && textIn(column), reason });
	}
	/** Reports the required columns that a new thing lacks. */
	function requireAll(columns: readonly string[]): void {
		for (const column of columns) if (valueIn(line, column) === undefined) report(column, messages.required);
	}
	return { problems, isWrong, report, requireAll };
}

type Findings = ReturnType<typeof findingsOn>;

function valueIn(line: object, column: string): unknown {
	return (line as Readonly<Record<string, unknown>>)[column];
}

/** Finds the thing that a line changes; a new one has no `before`. Undefined when it cannot be told, which is reported. */
function targetFinder<Line extends ImportLine<{ id: number }>, Thing extends { id: number }>(
	{ noun, key, columns }: Layout,
	mode: ImportMode,
	holderOf: HolderOf<Thing>,
	{ outOfReach = () => undefined }: LineRules<Line, Thing, unknown>,
) {
	const lineOf = new Map<number, number>();
	function claim({ id }: Thing, number: number): Reason | undefined {
		const other = lineOf.get(id);
		lineOf.set(id, number);
		return other === undefined ? undefined : messages.sameThing(noun, other);
	}
	function absenceOf(line: Line, barrier: Reason | undefined): Reason | undefined {
		if (line.id !== undefined) return barrier ?? messages.noId(noun, line.id);
		if (mode === 'upsert') return undefined;
		return valueIn(line, key) === undefined ? messages.required : messages.none(noun, headingOf(columns, key));
	}
	return (line: Line, { report, isWrong }: Findings): { before?: Thing | undefined } | undefined => {
		if (mode === 'add') return {};
		if (isWrong('id')) return undefined;
		const column = line.id === undefined ? key : 'id';
		const found = holderOf(column, valueIn(line, column));
		const barrier = found && outOfReach(found);
		const before = barrier === undefined ? found : undefined;
		const refusal = before ? claim(before, line.number) : absenceOf(line, barrier);
		return refusal === undefined ? { before } : void report(column, refusal);
	};
}
