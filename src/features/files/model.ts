import { type Static, type TObject, Type } from '@sinclair/typebox';
import {
	choice,
	described,
	idList,
	ManyChangesQuery,
	nullable,
	nullableText,
	oneOf,
	parameters,
	shape,
} from '../../platform/http/fields.ts';
import { ReasonWord } from '../../platform/http/reply.ts';
import { maxNamedLines } from '../../platform/vocabulary/limits.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { askedModes, importModes } from './layout.ts';

/** The maximum number of problems, groups of equal problems and changes in an answer. */
export const maxAnswered = { problems: 200, changes: 500 };

/** The fields of every import's answer. The names of the schemas in it begin with `prefix`. */
export function importFields(prefix: string, columns: readonly string[]) {
	const [Problem, ProblemGroup] = problemShapes(prefix, columns);
	return {
		mode: oneOf(importModes, described('The mode, as asked for or as the file decided it.', 'upsert')),
		lines: Type.Integer(described('The number of lines below the headings.', 120)),
		created: Type.Integer(described('The number of new employees or stores.', 0)),
		updated: Type.Integer(described('The number of changed employees or stores.', 30)),
		unchanged: Type.Integer(described('The number of lines that change nothing.', 285)),
		problems: Type.Array(Problem, { description: `In the order of the lines, at most ${maxAnswered.problems}.` }),
		problemTotal: Type.Integer(described('The number of all problems.', 1)),
		groups: Type.Array(ProblemGroup, {
			description: `The problems, equal ones once, in the order of their first lines; at most ${maxAnswered.problems}.`,
		}),
		changes: Type.Array(changeShape(prefix, columns), {
			description: `Each changed field, at most ${maxAnswered.changes}.`,
		}),
		changeTotal: Type.Integer(described('The number of all changed fields.', 1)),
		headingLine: Type.Integer(described('The row of the headings in the sheet.', 1)),
		unreadColumns: Type.Array(Type.String({ examples: ['性别'] }), {
			description: 'The headings of the columns that are not read, or the letter of a column without a heading.',
		}),
	};
}

const line = Type.Integer(described('The row in the sheet, from 1; the headings are a row too.', 7));

/** A problem, and several equal ones together. */
function problemShapes(prefix: string, columns: readonly string[]) {
	const fields = {
		column: nullable(oneOf(columns, described('The column; null for the whole line.', columns[1]))),
		name: nullableText(described('The name, if the line has one.', '王芳')),
		value: nullableText(described('The content of the cell; a long text is cut.', '13800138000')),
		reason: Type.String(described('The problem, for people.', '手机号已存在：王芳（人民路店）')),
		code: ReasonWord,
	};
	const Lines = Type.Object({ first: Type.Integer({ examples: [3] }), last: Type.Integer({ examples: [420] }) });
	return [
		shape(`${prefix}ImportProblem`, { line, ...fields }),
		shape(`${prefix}ImportProblemGroup`, {
			...fields,
			name: nullableText(described('The name in the first line.', '王芳')),
			count: Type.Integer(described('The number of equal problems.', 418)),
			lines: Type.Array(Lines, { description: 'Their rows in the sheet.' }),
		}),
	] as const;
}

function changeShape(prefix: string, columns: readonly string[]) {
	return shape(`${prefix}ImportChange`, {
		line,
		id: Type.Integer(described('The id of the changed employee or store.', 7)),
		name: Type.String(described('The name before.', '王芳')),
		column: oneOf(columns, { examples: [columns[1]] }),
		before: nullableText(described('The value as an export writes it; null for an empty cell.', '早班')),
		after: nullableText({ examples: ['晚班'] }),
	});
}

export type ImportAnswer = Static<TObject<ReturnType<typeof importFields>>>;

/** A problem whose reason is not yet written in a language. */
export type Problem = Omit<ImportAnswer['problems'][number], 'reason' | 'code'> & { reason: Reason };

export type ProblemGroup = ImportAnswer['groups'][number];

/** A field that an import changes, in the words of an export. */
export type FieldChange = ImportAnswer['changes'][number];

const mode = choice(
	askedModes,
	'add, the default: every line is new. upsert: a line changes the one with its id (编号) or else its key, or is new. ' +
		'update: only changes. auto: upsert for a file with a column of ids, else add.',
	'upsert',
);

const rows = (description: string) => idList(maxNamedLines, '行号', description, '7');

/** The query of an import and of its problems. */
export const ImportQuery = parameters({
	mode,
	skip: rows('Rows of the sheet to leave out, as if the file did not have them.'),
	only: rows('Rows of the sheet to read, as if the file had no others below its headings.'),
	...ManyChangesQuery.properties,
});
export type ImportQuery = Static<typeof ImportQuery>;
