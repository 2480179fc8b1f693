/** Versions over HTTP: the `ETag` of an answer and the `If-Match` of a request (RFC 9110, 8.8.3 and 13.1.1). */
import { type TSchema, Type } from '@sinclair/typebox';
import { Success } from './reply.ts';

const tag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const tags = new RegExp(tag, 'g');

/** The header of a request that is to work on a version that the caller has seen. Spread it into the hooks of a route. */
export const conditional = {
	headers: Type.Object({
		'if-match': Type.Optional(
			Type.String({
				pattern: `^(?:\\*|[ \\t,]*${tag}(?:[ \\t]*,[ \\t,]*${tag})*[ \\t,]*)$`,
				error: '须为 * 或 ETag，多个以逗号分隔',
				description: 'The ETag of the version to change, or several. With another version the answer is 412.',
				examples: ['"mhuh3v4w-5Yb1tXn0kqTz3w9L"'],
			}),
		),
	}),
};

/** The tags that a request expects; undefined when every version will do. A weak tag names none. */
export function expectedTags(headers: Headers): readonly string[] | undefined {
	const value = headers.get('if-match');
	return value === null || value === '*' ? undefined : (value.match(tags) ?? []);
}

/** The schema of the success envelope about one thing, with the tag of its version. */
export function Tagged<Data extends TSchema>(data: Data) {
	return Success(data, { headers: ['ETag'] });
}
