/** What the lines of a file come to: what each of them is about, what would change, and what is wrong with it. */
import { required } from './cells.ts';
import type { ColumnOf, ImportMode, Layout } from './layout.ts';
import type { Change, Problem } from './model.ts';
import { excerpt, type ImportLine, type ImportTable } from './read-file.ts';

/** A check in steps of a few milliseconds. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How many lines are checked in one step. */
export const stepSize = 200;

/** Lets other requests run between the steps. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

export function toTheEnd<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

const messages = {
	noId: (noun: string, id: number) => `没有编号为 ${id} 的${noun}`,
	none: (noun: string, heading: string | undefined) => `没有使用这个${heading}的${noun}`,
	sameTarget: (noun: string, line: number) => `与第 ${line} 行是同一${noun}`,
} as const;

/** Reports what is wrong with a column of a line, or with all of it. */
export type Report<Column extends string> = (column: Column | null, reason: string) => void;

/** What stands in the columns of an export. */
export type Texts<Column extends string> = Readonly<Record<Column, string>>;

/** What is there already, by what lines find it. */
export interface Present<Thing> {
	byId: ReadonlyMap<number, Thing>;
	byKey: ReadonlyMap<unknown, Thing>;
}

/** The rules of one kind. `Wanted` is what a line asks for, once it is checked. */
export interface Rules<Values extends object, Thing, Wanted> {
	/** Why no line may be about it. By its id this is said; by its key it is not found, so that nobody learns of it. */
	outOfReach?(thing: Thing): string | undefined;
	/** What a line makes of something; undefined when something is missing or wrong, which is reported. */
	wantedOf(line: ImportLine<Values>, before: Thing | undefined, report: Report<ColumnOf<Values>>): Wanted | undefined;
	textsOf(thing: Thing): Texts<ColumnOf<Values>>;
	textsAfter(before: Thing, wanted: Wanted): Texts<ColumnOf<Values>>;
	/** Why the caller may not change it. */
	refusalOf?(thing: Thing): string | undefined;
}

/** Something that is there, and what it becomes. */
interface Edit<Thing, Wanted> {
	before: Thing;
	after: Wanted;
}

/** What the lines of a file come to. */
interface Comparison<Column extends string, Thing, Wanted> {
	added: Wanted[];
	edits: Edit<Thing, Wanted>[];
	unchanged: number;
	changes: Change<Column>[];
	problems: Problem<Column>[];
}

/** Compares the lines of a file with what is there. Those with a problem are neither added, changed nor unchanged. */
export function* compare<Values extends object, Thing extends { id: number; name: string }, Wanted>(
	layout: Layout<Values>,
	{ lines, problems: read }: ImportTable<Values>,
	mode: ImportMode,
	present: Present<Thing>,
	{ outOfReach = () => undefined, wantedOf, textsOf, textsAfter, refusalOf }: Rules<Values, Thing, Wanted>,
): Steps<Comparison<ColumnOf<Values>, Thing, Wanted>> {
	const findings = createFindings(layout, read);
	const targetOf = mode === 'add' ? (): Target<Thing> => ({}) : targetFinder(layout, mode, present, outOfReach);
	const found: Comparison<ColumnOf<Values>, Thing, Wanted> = {
		...{ added: [], edits: [], unchanged: 0, changes: [] },
		problems: findings.problems,
	};
	function edit(line: number, before: Thing, after: Wanted): string | undefined {
		const changed = changesBetween(line, before, textsOf(before), textsAfter(before, after));
		const refusal = changed.length === 0 ? undefined : refusalOf?.(before);
		if (refusal !== undefined) return refusal;
		if (changed.length === 0) found.unchanged += 1;
		else found.edits.push({ before, after });
		found.changes.push(...changed);
		return undefined;
	}
	for (const [index, line] of lines.entries()) {
		if (index % stepSize === 0) yield;
		const report = findings.reporter(line);
		const target = targetOf(line, report, findings.isWrong);
		if (!target) continue;
		const { before } = target;
		const wanted = wantedOf(line, before, report);
		if (!before) findings.requireAll(line, report);
		if (wanted === undefined || findings.isWrong(line)) continue;
		const refusal = before ? edit(line.number, before, wanted) : void found.added.push(wanted);
		if (refusal !== undefined) report(null, refusal);
	}
	return found;
}

/** Collects what is wrong with lines, besides what reading them found. */
function createFindings<Values extends object>(
	{ required: needed }: Layout<Values>,
	read: readonly Problem<ColumnOf<Values>>[],
) {
	type Column = ColumnOf<Values>;
	const problems: Problem<Column>[] = [];
	const wrong = new Set(read.flatMap(({ line, column }) => [`${line}`, `${line} ${column}`]));
	const isWrong = ({ number }: ImportLine<Values>, column?: Column) =>
		wrong.has(column === undefined ? `${number}` : `${number} ${column}`);
	return {
		problems,
		/** Whether something is wrong with a column of a line, or with anything in it. */
		isWrong,
		reporter(line: ImportLine<Values>): Report<Column> {
			const textIn = (column: string) => excerpt([(line as Record<string, unknown>)[column]].flat().join('、'));
			return (column, reason) => {
				wrong.add(`${line.number}`).add(`${line.number} ${column}`);
				problems.push({ line: line.number, column, name: textIn('name'), value: column && textIn(column), reason });
			};
		},
		/** Reports what something new lacks. */
		requireAll(line: ImportLine<Values>, report: Report<Column>): void {
			for (const column of needed) if (line[column] === undefined && !isWrong(line, column)) report(column, required);
		},
	};
}

/** Finds what a line is about: `before` is absent for something new. Undefined when it cannot be told, which is reported. */
function targetFinder<Values extends object, Thing extends { id: number }>(
	{ noun, headings, key }: Layout<Values>,
	mode: ImportMode,
	{ byId, byKey }: Present<Thing>,
	outOfReach: (thing: Thing) => string | undefined,
) {
	type Column = ColumnOf<Values>;
	type Line = ImportLine<Values> & { id?: number };
	const lineOf = new Map<number, number>();
	const byLine = (line: Line) => (line.id === undefined ? byKey.get(line[key]) : byId.get(line.id));
	function find(line: Line): Thing | undefined {
		const found = byLine(line);
		return found && outOfReach(found) === undefined ? found : undefined;
	}
	function refusalOf(line: Line): string {
		const found = byLine(line);
		if (line.id !== undefined) return (found && outOfReach(found)) ?? messages.noId(noun, line.id);
		return line[key] === undefined ? required : messages.none(noun, headings[key][0]);
	}
	function claim({ id }: Thing, number: number): string | undefined {
		const other = lineOf.get(id);
		lineOf.set(id, number);
		return other === undefined ? undefined : messages.sameTarget(noun, other);
	}
	return function targetOf(
		line: Line,
		report: Report<Column>,
		isWrong: (line: ImportLine<Values>, column: Column) => boolean,
	): Target<Thing> | undefined {
		if (isWrong(line, 'id' as Column)) return undefined;
		const before = find(line);
		if (!before && line.id === undefined && mode === 'upsert') return {};
		const refusal = before ? claim(before, line.number) : refusalOf(line);
		if (before && refusal === undefined) return { before };
		const column = line.id === undefined ? key : ('id' as Column);
		return isWrong(line, column) ? undefined : void report(column, refusal ?? '');
	};
}

/** What a line is about; something new without `before`. */
interface Target<Thing> {
	before?: Thing;
}

/** The columns in which two rows of an export differ. */
function changesBetween<Column extends string>(
	line: number,
	{ id, name }: { id: number; name: string },
	before: Texts<Column>,
	after: Texts<Column>,
): Change<Column>[] {
	const columns = (Object.keys(before) as Column[]).filter((column) => before[column] !== after[column]);
	return columns.map((column) => ({
		...{ line, id, name, column },
		before: before[column] || null,
		after: after[column] || null,
	}));
}

/** The keys that are given up in a file, and can be taken by others in it. */
export function freedKeys<Thing>(
	lines: readonly { id?: number }[],
	byId: ReadonlyMap<number, Thing>,
	key: keyof Thing,
): Set<unknown> {
	const wantedOf = (line: object) => (line as Partial<Thing>)[key];
	return new Set(
		lines.flatMap((line) => {
			const before = byId.get(line.id ?? 0);
			const wanted = wantedOf(line);
			return before && wanted !== undefined && wanted !== before[key] ? [before[key]] : [];
		}),
	);
}
