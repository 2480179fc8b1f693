/** Finds the reason why a value does not match a schema. */
import type { ValueError } from '@sinclair/typebox/errors';
import { because, type Reason } from '../vocabulary/reasons.ts';
import type { Schema } from './fields.ts';
import { httpMessages } from './reply.ts';

/** The reason for a value that a schema does not allow. `isText`: it comes from a path or query, where all is text. */
export function violationOf({ schema, value }: Pick<ValueError, 'schema' | 'value'>, isText = false): Reason {
	const rules = schema as Schema;
	const message = rules.error ?? httpMessages.invalid.message;
	const types = [rules.type ?? []].flat();
	if (value === undefined) return because('required', message);
	if (isText && Array.isArray(value)) return because('repeated', '只能出现一次');
	if (rules.contentTypes) return because('wrong_content_type', message, { allowed: rules.contentTypes });
	const read = isText && types.includes('integer') && /^-?\d+$/.test(String(value)) ? Number(value) : value;
	const allowed = 'const' in rules ? [rules.const] : rules.enum;
	if (allowed) return because('not_one_of', message, { allowed: allowed.map(String) });
	if (!types.some((type) => isOfType(type, read))) {
		return because('wrong_type', message, { expected: types.join(' or ') });
	}
	return wrongValue(rules, read, message);
}

function isOfType(type: string, value: unknown): boolean {
	if (type === 'integer') return Number.isInteger(value);
	if (type === 'array') return Array.isArray(value);
	return value !== null && !Array.isArray(value) && typeof value === type;
}

/** The reason for a value of the right type. */
function wrongValue(rules: Schema, value: unknown, message: string): Reason {
	if (typeof value === 'number' && rules.minimum !== undefined) {
		return because('out_of_range', message, {
			minimum: rules.minimum,
			limit: rules.maximum ?? Number.MAX_SAFE_INTEGER,
		});
	}
	if (Array.isArray(value)) return wrongList(rules, value, message);
	if (typeof value === 'string') return wrongText(rules, value, message);
	if (rules.minProperties !== undefined) return wrongFields(Object.keys(rules.properties ?? {}), value);
	return wrongFormat(rules, message);
}

function wrongList(rules: Schema, list: readonly unknown[], message: string): Reason {
	const { minItems: minimum = 0, maxItems: limit = list.length } = rules;
	if (list.length < minimum) return because('too_few', message, { minimum });
	if (list.length > limit) return because('too_many', message, { limit });
	if (new Set(list).size < list.length) return because('repeated', message);
	return wrongFormat(rules, message);
}

function wrongText(rules: Schema, text: string, message: string): Reason {
	const broken = rules.findBroken?.(text, message);
	if (broken) return broken;
	const { length } = Array.from(text);
	const { minLength: minimum = 0, maxLength: limit = length } = rules;
	if (length < minimum) return because('too_short', message, { minimum });
	if (length > limit) return because('too_long', message, { limit });
	return wrongFormat(rules, message);
}

function wrongFields(allowed: readonly string[], value: unknown): Reason {
	const hasOne = allowed.some((name) => Object.hasOwn(value as object, name));
	const names = allowed.join('、');
	if (hasOne) return because('takes_one_field', `只能包含以下字段之一：${names}`, { allowed });
	return because('needs_one_field', `至少须包含以下字段之一：${names}`, { allowed });
}

function wrongFormat({ description, pattern, examples }: Schema, message: string): Reason {
	const example = examples?.[0] === undefined ? '' : ` Example: ${JSON.stringify(examples[0])}`;
	return because('wrong_format', message, { expected: `${description ?? pattern}${example}` });
}
