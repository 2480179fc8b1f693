/** Reads the cells that employees and stores have in common, by the rules for a single new one. */
import type { TSchema } from '@sinclair/typebox';
import { TransformDecode, Value } from '@sinclair/typebox/value';
import { violationOf } from '../../platform/http/violation.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { type Status, statusLabels } from '../../platform/vocabulary/status.ts';
import { clean } from '../../platform/vocabulary/text-rule.ts';
import type { CellReading } from './layout.ts';

/** The maximum length of a name or code of a store or role, in UTF-16 units before composition. */
const maxWord = 400;

const messages = {
	badId: because('wrong_format', '须为导出文件中的编号', { expected: 'an id, as an export has it' }),
	badStatus: (allowed: readonly Status[]) => {
		const words = allowed.map((status) => statusLabels[status]);
		return because('not_one_of', `须为 ${words.join(' 或 ')}`, { allowed });
	},
} as const;

/** Reads a value by the rule of a field. */
export function readField<Content>(field: TSchema, value: Content): CellReading<Content> {
	if (!Value.Check(field, value)) return { problem: violationOf({ schema: field, value }) };
	// `Value.Decode` would check it again, which takes as long as the rest of reading a file.
	return { value: TransformDecode(field, [], value) as Content };
}

/** Reads one of these statuses: its label, its name, or another word that people write. */
export function readStatus<Known extends Status>(text: string, statuses: readonly Known[]): CellReading<Known> {
	const word = wordOf(text).toUpperCase().replace('停用', statusLabels.INACTIVE);
	const status = statuses.find((each) => each === word || statusLabels[each] === word);
	return status === undefined ? { problem: messages.badStatus(statuses) } : { value: status };
}

export function readId(text: string): CellReading<number> {
	const word = wordOf(text);
	return /^0*[1-9]\d{0,14}$/.test(word) ? { value: Number(word) } : { problem: messages.badId };
}

/** A word in the form in which names are stored. One that is too long for a name is cut, and so names nothing. */
export function wordOf(text: string): string {
	return text.length > maxWord ? `${text.slice(0, maxWord)}…` : clean(text);
}

/** The maximum length of a repeated cell, in characters. */
const maxExcerpt = 50;

/** The text of a cell for an answer; null for a blank one. */
export function excerpt(text: string): string | null {
	// A character has at most two units. No more of a text are looked at, because a file has thousands of them.
	const beginning = text.trim().slice(0, 2 * maxExcerpt + 1);
	const characters = Array.from(beginning.toWellFormed());
	const start = characters.slice(0, maxExcerpt).join('');
	return characters.length > maxExcerpt ? `${start}…` : start || null;
}
