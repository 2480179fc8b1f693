/** What the lines of a file come to: what each of them is about, what would change, and what is wrong with it. */
import type { Steps } from '../http/steps.ts';
import { required } from './cells.ts';
import { columnsOf, headingOf, type ImportLine, type ImportMode, type Layout } from './layout.ts';
import type { Change, Problem } from './model.ts';
import { excerpt, type ImportTable } from './read-file.ts';

/** How many lines are checked in one step. */
export const stepSize = 200;

const messages = {
	noId: (noun: string, id: number) => `没有编号为 ${id} 的${noun}`,
	none: (noun: string, heading: string) => `没有使用这个${heading}的${noun}`,
	sameTarget: (noun: string, line: number) => `与第 ${line} 行是同一${noun}`,
} as const;

/** Reports what is wrong with a column of a line, or with all of it. */
export type Report<Line> = (column: (keyof Line & string) | null, reason: string) => void;

/** What stands in the columns of an export. */
export type Texts = Readonly<Record<string, string>>;

/** What is there already, by what lines find it. */
export interface Present<Thing> {
	byId: ReadonlyMap<number, Thing>;
	byKey: ReadonlyMap<unknown, Thing>;
}

/** The rules of one kind. `Wanted` is what a line asks for, once it is checked. */
export interface Rules<Line, Thing, Wanted> {
	/** Why no line may be about it. By its id this is said; by its key it is not found, so that nobody learns of it. */
	outOfReach?(thing: Thing): string | undefined;
	/** What a line makes of something; undefined when something is missing or wrong, which is reported. */
	wantedOf(line: Line, before: Thing | undefined, report: Report<Line>): Wanted | undefined;
	textsOf(thing: Thing): Texts;
	textsAfter(before: Thing, wanted: Wanted): Texts;
	/** Why the caller may not change it. */
	refusalOf?(thing: Thing): string | undefined;
}

/** Something that is there, and what it becomes. */
interface Edit<Thing, Wanted> {
	before: Thing;
	after: Wanted;
}

/** What the lines of a file come to. */
export interface Comparison<Thing, Wanted> {
	added: Wanted[];
	edits: Edit<Thing, Wanted>[];
	unchanged: number;
	changes: Change[];
	/** Those that reading the file found, too; in the order of their places. */
	problems: Problem[];
}

/** Compares the lines of a file with what is there. Those with a problem are neither added, changed nor unchanged. */
export function* compare<Line extends ImportLine<{ id: number }>, Thing extends { id: number; name: string }, Wanted>(
	layout: Layout,
	table: ImportTable<Line>,
	mode: ImportMode,
	present: Present<Thing>,
	rules: Rules<Line, Thing, Wanted>,
): Steps<Comparison<Thing, Wanted>> {
	const found: Omit<Comparison<Thing, Wanted>, 'problems'> = { added: [], edits: [], unchanged: 0, changes: [] };
	const problems = Map.groupBy(table.problems, ({ line }) => line);
	const targetOf = targetFinder(layout, mode, present, rules);
	for (const [index, line] of table.lines.entries()) {
		if (index % stepSize === 0) yield;
		const findings = findingsOn(line, problems);
		const target = targetOf(line, findings);
		if (!target) continue;
		const { before } = target;
		const wanted = rules.wantedOf(line, before, findings.report);
		if (!before) findings.requireAll(layout.required);
		if (wanted === undefined || findings.areAny()) continue;
		if (before) addEdit(found, rules, line, { before, after: wanted }, findings);
		else found.added.push(wanted);
	}
	return { ...found, problems: Array.from(problems.values()).flat().sort(byPlace(layout)) };
}

/** The order in which problems are listed. */
function byPlace(layout: Layout) {
	const columns = columnsOf(layout, 'upsert');
	const orderOf = (column: string | null) => (column === null ? -1 : columns.indexOf(column));
	return (a: Problem, b: Problem) => a.line - b.line || orderOf(a.column) - orderOf(b.column);
}

/** Adds what a line changes, if anything, or reports why the caller may not change it. */
function addEdit<Line, Thing extends { id: number; name: string }, Wanted>(
	found: Pick<Comparison<Thing, Wanted>, 'edits' | 'unchanged' | 'changes'>,
	{ textsOf, textsAfter, refusalOf }: Rules<Line, Thing, Wanted>,
	line: ImportLine,
	edit: Edit<Thing, Wanted>,
	{ report }: Findings,
): void {
	const { before, after } = edit;
	const changes = changesBetween(line, before, textsOf(before), textsAfter(before, after));
	const refusal = changes.length === 0 ? undefined : refusalOf?.(before);
	if (refusal !== undefined) report(null, refusal);
	else if (changes.length === 0) found.unchanged += 1;
	else {
		found.edits.push(edit);
		found.changes.push(...changes);
	}
}

/** What is wrong with a line, besides what is known of it. */
function findingsOn(line: ImportLine, problems: Map<number, Problem[]>) {
	const own = () => problems.get(line.number) ?? [];
	const textIn = (column: string) => excerpt([valueIn(line, column)].flat().join('、'));
	const isWrong = (column: string) => own().some((problem) => problem.column === column);
	function report(column: string | null, reason: string): void {
		const problem = { line: line.number, column, name: textIn('name'), value: column && textIn(column), reason };
		problems.set(line.number, [...own(), problem]);
	}
	/** Reports what something new lacks. */
	function requireAll(columns: readonly string[]): void {
		for (const column of columns) if (valueIn(line, column) === undefined) reportUnlessWrong(column, required);
	}
	function reportUnlessWrong(column: string, reason: string): void {
		if (!isWrong(column)) report(column, reason);
	}
	return { areAny: () => own().length > 0, isWrong, report, reportUnlessWrong, requireAll };
}

type Findings = ReturnType<typeof findingsOn>;

function valueIn(line: object, column: string): unknown {
	return (line as Readonly<Record<string, unknown>>)[column];
}

/** What a line is about; something new without `before`. */
interface Target<Thing> {
	before?: Thing | undefined;
}

/** Finds what a line is about; undefined when it cannot be told, which is reported. */
function targetFinder<Line extends ImportLine<{ id: number }>, Thing extends { id: number }>(
	layout: Layout,
	mode: ImportMode,
	{ byId, byKey }: Present<Thing>,
	{ outOfReach = () => undefined }: Pick<Rules<Line, Thing, never>, 'outOfReach'>,
) {
	const { noun, key } = layout;
	const lineOf = new Map<number, number>();
	function claim({ id }: Thing, number: number): string | undefined {
		const other = lineOf.get(id);
		lineOf.set(id, number);
		return other === undefined ? undefined : messages.sameTarget(noun, other);
	}
	function absenceOf(line: Line, barrier: string | undefined): string | undefined {
		if (line.id !== undefined) return barrier ?? messages.noId(noun, line.id);
		if (mode === 'upsert') return undefined;
		return valueIn(line, key) === undefined ? required : messages.none(noun, headingOf(layout, key));
	}
	return (line: Line, { reportUnlessWrong, isWrong }: Findings): Target<Thing> | undefined => {
		if (mode === 'add') return {};
		if (isWrong('id')) return undefined;
		const found = line.id === undefined ? byKey.get(valueIn(line, key)) : byId.get(line.id);
		const barrier = found && outOfReach(found);
		const before = barrier === undefined ? found : undefined;
		const refusal = before ? claim(before, line.number) : absenceOf(line, barrier);
		if (refusal === undefined) return { before };
		reportUnlessWrong(line.id === undefined ? key : 'id', refusal);
		return undefined;
	};
}

/** The columns in which two rows of an export differ. */
function changesBetween(
	{ number }: ImportLine,
	{ id, name }: { id: number; name: string },
	before: Texts,
	after: Texts,
): Change[] {
	const columns = Object.keys(before).filter((column) => before[column] !== after[column]);
	return columns.map((column) => ({
		...{ line: number, id, name, column },
		before: before[column] || null,
		after: after[column] || null,
	}));
}

/** The keys that are given up in a file, and can be taken by others in it. */
export function freedKeys<Thing>(
	lines: readonly ImportLine<{ id: number }>[],
	byId: ReadonlyMap<number, Thing>,
	key: keyof Thing & string,
): Set<unknown> {
	const freed = new Set<unknown>();
	for (const line of lines) {
		const [before, wanted] = [byId.get(line.id ?? 0), valueIn(line, key)];
		if (before && wanted !== undefined && wanted !== before[key]) freed.add(before[key]);
	}
	return freed;
}
