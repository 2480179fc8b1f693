import { Type } from '@sinclair/typebox';
import { flag } from '../http/fields.ts';
import { csvType, xlsxType } from '../http/file-answer.ts';
import { nullableOneOf, nullableText, oneOf } from '../http/schema-types.ts';
import { importModes } from './layout.ts';

/** The content types of an import. Windows says the last one of every file that Excel opens, CSV included. */
export const importTypes = [csvType, xlsxType, 'application/vnd.ms-excel'];

/** How many problems, groups of equal ones and changes an answer has. */
export const maxAnswered = { problems: 200, changes: 500 };

/** Something that is wrong with a line. */
export interface Problem<Column extends string = string> {
	line: number;
	/** Null for the whole line. */
	column: Column | null;
	name: string | null;
	value: string | null;
	reason: string;
}

/** Equal problems of one or more lines. */
export interface ProblemGroup<Column extends string = string> extends Omit<Problem<Column>, 'line'> {
	count: number;
	lines: { first: number; last: number }[];
}

/** A field that an import changes, in the words of an export; null for an empty cell. */
export interface Change<Column extends string = string> {
	line: number;
	id: number;
	/** The name before. */
	name: string;
	column: Column;
	before: string | null;
	after: string | null;
}

/** What every import answers. */
export interface ImportAnswer<Column extends string = string> {
	lines: number;
	created: number;
	updated: number;
	unchanged: number;
	problems: Problem<Column>[];
	problemTotal: number;
	groups: ProblemGroup<Column>[];
	changes: Change<Column>[];
	changeTotal: number;
	headingLine: number;
	unreadColumns: string[];
}

/** The fields of {@link ImportAnswer} as schemas, whose names begin with `prefix`. */
export function importFields<const Column extends string>(prefix: string, columns: readonly Column[]) {
	const [column] = columns.slice(1);
	const problemFields = {
		column: nullableOneOf(columns, { description: 'The column; null for the whole line.', examples: [column] }),
		name: nullableText({ description: 'The name, if the line has one.', examples: ['王芳'] }),
		value: nullableText({ description: 'What the cell holds; a long text is cut.', examples: ['13800138000'] }),
		reason: Type.String({ examples: ['手机号已存在：王芳（人民路店）'] }),
	};
	const line = Type.Integer({
		description: 'The row in the sheet, from 1; the headings are a row too.',
		examples: [7],
	});
	const Found = Type.Object({ line, ...problemFields }, { title: `${prefix}ImportProblem` });
	const Group = Type.Object(
		{
			...problemFields,
			name: nullableText({ description: 'The name in the first line.', examples: ['王芳'] }),
			count: Type.Integer({ description: 'How many problems these are.', examples: [418] }),
			lines: Type.Array(
				Type.Object({ first: Type.Integer({ examples: [3] }), last: Type.Integer({ examples: [420] }) }),
				{ description: 'Their rows in the sheet.' },
			),
		},
		{ title: `${prefix}ImportProblemGroup` },
	);
	const Changed = Type.Object(
		{
			line,
			id: Type.Integer({ description: 'Whose field it is.', examples: [7] }),
			name: Type.String({ description: 'The name before.', examples: ['王芳'] }),
			column: oneOf(columns, { examples: [column] }),
			before: nullableText({ description: 'In the words of an export; null for an empty cell.', examples: ['早班'] }),
			after: nullableText({ examples: ['晚班'] }),
		},
		{ title: `${prefix}ImportChange` },
	);
	return {
		lines: Type.Integer({ description: 'How many lines the file has below its headings.', examples: [120] }),
		created: Type.Integer({
			description: 'How many are new: all or none. In a dry run how many would be, and 0 without `mode`.',
			examples: [0],
		}),
		updated: Type.Integer({ description: 'How many are changed, or would be.', examples: [30] }),
		unchanged: Type.Integer({ description: 'How many are there and stay as they are.', examples: [285] }),
		problems: Type.Array(Found, { description: `In the order of the lines, at most ${maxAnswered.problems}.` }),
		problemTotal: Type.Integer({ description: 'How many there are in all.', examples: [1] }),
		groups: Type.Array(Group, {
			description: `The problems, equal ones once, in the order of their first lines; at most ${maxAnswered.problems}.`,
		}),
		changes: Type.Array(Changed, {
			description: `Each field that changes, in the order of the lines, at most ${maxAnswered.changes}.`,
		}),
		changeTotal: Type.Integer({ description: 'How many there are in all.', examples: [1] }),
		headingLine: Type.Integer({ description: 'The row in the sheet with the headings.', examples: [1] }),
		unreadColumns: Type.Array(Type.String({ examples: ['性别'] }), {
			description: 'The headings of the columns that are not read, or the letter of one without a heading.',
		}),
	};
}

const mode = Type.Optional(
	oneOf(importModes, {
		error: `须为 ${importModes.join('、')} 之一`,
		description:
			'add, the default: every line is new. upsert: a line is new, or changes what has its id (编号) or else its key. ' +
			'update: nothing new.',
		examples: ['upsert'],
	}),
);

/** The query of an import. */
export const ImportQuery = Type.Object({
	mode,
	dryRun: Type.Optional(flag('Whether to only say what would happen.')),
});

/** The query of the file with what an import would find. */
export const MarkQuery = Type.Object({ mode });
