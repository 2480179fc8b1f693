import { type Static, type TObject, Type } from '@sinclair/typebox';
import { described, flag, nullable, nullableText, oneOf, parameters, shape } from '../../platform/http/fields.ts';
import { ReasonWord } from '../../platform/http/reply.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { askedModes, importModes } from './layout.ts';

/** How many problems, groups of equal ones and changes an answer has. */
export const maxAnswered = { problems: 200, changes: 500 };

/** What every import answers, as the fields of a schema; the names of the objects in it begin with `prefix`. */
export function importFields(prefix: string, columns: readonly string[]) {
	const [column] = columns.slice(1);
	const problemFields = {
		column: nullable(oneOf(columns, described('The column; null for the whole line.', column))),
		name: nullableText(described('The name, if the line has one.', '王芳')),
		value: nullableText(described('What the cell holds; a long text is cut.', '13800138000')),
		reason: Type.String(described('What is wrong, for people.', '手机号已存在：王芳（人民路店）')),
		code: ReasonWord,
	};
	const line = Type.Integer(described('The row in the sheet, from 1; the headings are a row too.', 7));
	const Found = shape(`${prefix}ImportProblem`, { line, ...problemFields });
	const Group = shape(`${prefix}ImportProblemGroup`, {
		...problemFields,
		name: nullableText(described('The name in the first line.', '王芳')),
		count: Type.Integer(described('How many problems these are.', 418)),
		lines: Type.Array(
			Type.Object({ first: Type.Integer({ examples: [3] }), last: Type.Integer({ examples: [420] }) }),
			{ description: 'Their rows in the sheet.' },
		),
	});
	const Changed = shape(`${prefix}ImportChange`, {
		line,
		id: Type.Integer(described('Whose field it is.', 7)),
		name: Type.String(described('The name before.', '王芳')),
		column: oneOf(columns, { examples: [column] }),
		before: nullableText(described('In the words of an export; null for an empty cell.', '早班')),
		after: nullableText({ examples: ['晚班'] }),
	});
	return {
		mode: oneOf(importModes, described('The mode, also where the file decided it.', 'upsert')),
		lines: Type.Integer(described('How many lines the file has below its headings.', 120)),
		created: Type.Integer(described('How many are new, or would be.', 0)),
		updated: Type.Integer(described('How many are changed, or would be.', 30)),
		unchanged: Type.Integer(described('How many are there and stay as they are.', 285)),
		problems: Type.Array(Found, { description: `In the order of the lines, at most ${maxAnswered.problems}.` }),
		problemTotal: Type.Integer(described('How many there are in all.', 1)),
		groups: Type.Array(Group, {
			description: `The problems, equal ones once, in the order of their first lines; at most ${maxAnswered.problems}.`,
		}),
		changes: Type.Array(Changed, { description: `Each field that changes, at most ${maxAnswered.changes}.` }),
		changeTotal: Type.Integer(described('How many there are in all.', 1)),
		headingLine: Type.Integer(described('The row in the sheet with the headings.', 1)),
		unreadColumns: Type.Array(Type.String({ examples: ['性别'] }), {
			description: 'The headings of the columns that are not read, or the letter of one without a heading.',
		}),
	};
}

export type ImportAnswer = Static<TObject<ReturnType<typeof importFields>>>;

/** A problem before its reason is put into words. */
export type Problem = Omit<ImportAnswer['problems'][number], 'reason' | 'code'> & { reason: Reason };

export type ProblemGroup = ImportAnswer['groups'][number];

/** A field that an import changes, in the words of an export. */
export type FieldChange = ImportAnswer['changes'][number];

const mode = oneOf(askedModes, {
	error: `须为 ${askedModes.join('、')} 之一`,
	description:
		'add, the default: every line is new. upsert: a line is new, or changes what has its id (编号) or else its key. ' +
		'update: nothing new. auto: upsert for a file with a column of ids, else add.',
	examples: ['upsert'],
});

/** The query of an import. */
export const ImportQuery = parameters({ mode, dryRun: flag('Whether to only say what would happen.') });
export type ImportQuery = Static<typeof ImportQuery>;

/** The query of the file with what an import would find. */
export const MarkQuery = parameters({ mode });
