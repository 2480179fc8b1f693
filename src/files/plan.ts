/** What an import would do: what the lines of a file add and change, and what is wrong with them. It is data, and changes nothing. */
import { columnsWith, headingOf } from './columns.ts';
import { columnsOf, type ImportLine, type ImportMode, type Layout } from './layout.ts';
import type { FieldChange, Problem } from './model.ts';
import { excerpt, type ImportTable } from './read-lines.ts';

/** How many values are named for one file that something out of reach has. */
const maxNamedElsewhere = 20;

const messages = {
	required: '必填',
	noId: (noun: string, id: number) => `没有编号为 ${id} 的${noun}`,
	none: (noun: string, heading: string) => `没有使用这个${heading}的${noun}`,
	sameThing: (noun: string, line: number) => `与第 ${line} 行是同一${noun}`,
	taken: (heading: string) => `${heading}已存在`,
} as const;

/** Reports what is wrong with a column of a line, or with all of it. */
export type Report<Line> = (column: (keyof Line & string) | null, reason: string) => void;

export type ExportTexts = Readonly<Record<string, string>>;

/** What is there already and has a value of a unique column. */
export type HolderOf<Thing> = (column: string, value: unknown) => Thing | undefined;

/** Finds things by their values of the unique columns, which are called as their fields are. */
export function holdersAmong<Thing extends object>({ columns }: Layout, things: readonly Thing[]): HolderOf<Thing> {
	const byValue = (column: string) => new Map(things.map((thing) => [valueIn(thing, column), thing]));
	const holders = new Map(columnsWith(columns, 'unique').map((column) => [column, byValue(column)]));
	return (column, value) => (value == null ? undefined : holders.get(column)?.get(value));
}

/** A value of a unique column that a line asks for and something else has. */
export interface Conflict<Line, Thing> {
	column: keyof Line & string;
	line: Line;
	before: Thing | undefined;
	holder: Thing;
	/** Whether the file gives the holder another value. */
	isGivenUp: boolean;
	/** The usual words for it. */
	reason: string;
}

/** The rules of one kind. `Wanted` is what a line asks for, once it is checked. */
export interface LineRules<Line, Thing, Wanted> {
	/** Why no line may be about it. By its id this is said; by its key it is not found, so that nobody learns of it. */
	outOfReach?(thing: Thing): string | undefined;
	/** What a line makes of something; undefined when something is missing or wrong, which is reported. */
	wantedOf(line: Line, before: Thing | undefined, report: Report<Line>): Wanted | undefined;
	/** Reports a conflict with something within reach, unless that is given up. */
	reportConflict?(conflict: Conflict<Line, Thing>, report: Report<Line>): void;
	textsOf(thing: Thing): ExportTexts;
	textsAfter(before: Thing, wanted: Wanted): ExportTexts;
	/** Why the caller may not change it. */
	refusalOf?(thing: Thing): string | undefined;
}

/** What an import would do. Lines with a problem neither create, change nor leave anything unchanged. */
export interface ImportPlan<Thing = unknown, Wanted = unknown> {
	create: Wanted[];
	/** Something that is there, and what it becomes. */
	change: { before: Thing; after: Wanted }[];
	unchanged: number;
	fieldChanges: FieldChange[];
	/** Those that reading the file found, too; in the order of their places. */
	problems: Problem[];
	/** What the answer says besides. */
	summary?: object;
	/**
	 * How many values the plan says are taken by something out of reach. More are passed over, so that nobody counts them: the
	 * file is refused as it is.
	 */
	namedElsewhere: number;
}

/** Compares the lines of a file with what is there. */
export function planLines<Line extends ImportLine<{ id: number }>, Thing extends { id: number; name: string }, Wanted>(
	layout: Layout,
	{ mode, lines, problems: found }: ImportTable<Line>,
	holderOf: HolderOf<Thing>,
	rules: LineRules<Line, Thing, Wanted>,
): ImportPlan<Thing, Wanted> {
	const requiredColumns = columnsWith(layout.columns, 'required');
	const plan: ImportPlan<Thing, Wanted> = {
		...{ create: [], change: [], unchanged: 0, fieldChanges: [], problems: [], namedElsewhere: 0 },
	};
	const problems = Map.groupBy(found, ({ line }) => line);
	const targetOf = targetFinder(layout, mode, holderOf, rules);
	const conflictsOf = conflictFinder(layout, lines, holderOf);
	for (const line of lines) {
		const known = problems.getOrInsertComputed(line.number, () => []);
		const findings = findingsOn(line, known);
		const { report } = findings;
		const target = targetOf(line, findings);
		if (!target) continue;
		const { before } = target;
		for (const conflict of conflictsOf(line, before)) addConflict(plan, rules, conflict, report);
		const wanted = rules.wantedOf(line, before, report);
		if (!before) findings.requireAll(requiredColumns);
		if (wanted === undefined || findings.problems.length > 0) continue;
		if (before) addChange(plan, rules, line, before, wanted, report);
		else plan.create.push(wanted);
	}
	const order = [null, ...columnsOf(layout, 'upsert')];
	plan.problems = Array.from(problems.values())
		.flat()
		.sort((a, b) => a.line - b.line || order.indexOf(a.column) - order.indexOf(b.column));
	return plan;
}

/** Finds what else has the values of a line, in any unique column. */
function conflictFinder<Line extends ImportLine<{ id: number }>, Thing extends { id: number }>(
	{ columns, key }: Layout,
	lines: readonly Line[],
	holderOf: HolderOf<Thing>,
) {
	const unique = columnsWith(columns, 'unique').map((column) => column as keyof Line & string);
	// The keys that others in the file can take. Values of other columns cannot be exchanged.
	const givenUp = new Set<unknown>();
	for (const line of lines) {
		const [before, wanted] = [holderOf('id', line.id), valueIn(line, key)];
		if (before && wanted !== undefined && wanted !== valueIn(before, key)) givenUp.add(valueIn(before, key));
	}
	return (line: Line, before: Thing | undefined): Conflict<Line, Thing>[] =>
		unique.flatMap((column) => {
			const holder = holderOf(column, line[column]);
			if (!holder || holder.id === before?.id) return [];
			const isGivenUp = before !== undefined && column === key && givenUp.has(line[column]);
			return { column, line, before, holder, isGivenUp, reason: messages.taken(headingOf(columns, column)) };
		});
}

function addConflict<Line, Thing>(
	plan: Pick<ImportPlan, 'namedElsewhere'>,
	{ outOfReach, reportConflict }: Pick<LineRules<Line, Thing, never>, 'outOfReach' | 'reportConflict'>,
	conflict: Conflict<Line, Thing>,
	report: Report<Line>,
): void {
	const { column, holder, isGivenUp, reason } = conflict;
	if (outOfReach?.(holder) !== undefined) {
		if (plan.namedElsewhere === maxNamedElsewhere) return;
		plan.namedElsewhere += 1;
		report(column, reason);
	} else if (reportConflict) reportConflict(conflict, report);
	else if (!isGivenUp) report(column, reason);
}

/** Adds what a line changes, if anything, or reports why the caller may not change it. */
function addChange<Line extends ImportLine, Thing extends { id: number; name: string }, Wanted>(
	plan: ImportPlan<Thing, Wanted>,
	{ textsOf, textsAfter, refusalOf }: LineRules<Line, Thing, Wanted>,
	{ number: line }: Line,
	before: Thing,
	after: Wanted,
	report: Report<Line>,
): void {
	const { id, name } = before;
	const [were, become] = [textsOf(before), textsAfter(before, after)];
	const columns = Object.keys(were).filter((column) => were[column] !== become[column]);
	const refusal = columns.length === 0 ? undefined : refusalOf?.(before);
	if (refusal !== undefined) report(null, refusal);
	else if (columns.length === 0) plan.unchanged += 1;
	else {
		plan.change.push({ before, after });
		for (const column of columns) {
			const texts = { before: were[column] || null, after: become[column] || null };
			plan.fieldChanges.push({ line, id, name, column, ...texts });
		}
	}
}

/** What is wrong with a line; more is added to what is known. */
function findingsOn(line: ImportLine, problems: Problem[]) {
	const textIn = (column: string) => excerpt([valueIn(line, column)].flat().join('、'));
	const isWrong = (column: string) => problems.some((problem) => problem.column === column);
	function report(column: string | null, reason: string): void {
		problems.push({ line: line.number, column, name: textIn('name'), value: column && textIn(column), reason });
	}
	function reportUnlessWrong(column: string, reason: string): void {
		if (!isWrong(column)) report(column, reason);
	}
	/** Reports what something new lacks. */
	function requireAll(columns: readonly string[]): void {
		for (const column of columns) if (valueIn(line, column) === undefined) reportUnlessWrong(column, messages.required);
	}
	return { problems, isWrong, report, reportUnlessWrong, requireAll };
}

function valueIn(line: object, column: string): unknown {
	return (line as Readonly<Record<string, unknown>>)[column];
}

/** Finds what a line is about; something new without `before`. Undefined when it cannot be told, which is reported. */
function targetFinder<Line extends ImportLine<{ id: number }>, Thing extends { id: number }>(
	{ noun, key, columns }: Layout,
	mode: ImportMode,
	holderOf: HolderOf<Thing>,
	{ outOfReach = () => undefined }: Pick<LineRules<Line, Thing, never>, 'outOfReach'>,
) {
	const lineOf = new Map<number, number>();
	function claim({ id }: Thing, number: number): string | undefined {
		const other = lineOf.get(id);
		lineOf.set(id, number);
		return other === undefined ? undefined : messages.sameThing(noun, other);
	}
	function absenceOf(line: Line, barrier: string | undefined): string | undefined {
		if (line.id !== undefined) return barrier ?? messages.noId(noun, line.id);
		if (mode === 'upsert') return undefined;
		return valueIn(line, key) === undefined ? messages.required : messages.none(noun, headingOf(columns, key));
	}
	return (
		line: Line,
		{ reportUnlessWrong, isWrong }: ReturnType<typeof findingsOn>,
	): { before?: Thing | undefined } | undefined => {
		if (mode === 'add') return {};
		if (isWrong('id')) return undefined;
		const found = line.id === undefined ? holderOf(key, valueIn(line, key)) : holderOf('id', line.id);
		const barrier = found && outOfReach(found);
		const before = barrier === undefined ? found : undefined;
		const refusal = before ? claim(before, line.number) : absenceOf(line, barrier);
		if (refusal === undefined) return { before };
		reportUnlessWrong(line.id === undefined ? key : 'id', refusal);
		return undefined;
	};
}
