/** The pinyin of Chinese characters, so that a page can search its content by pinyin and initials as the lists do. */
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { permitDespite, type RouteDependencies } from '../../identity/session/session.ts';
import { described, keyword, parameters, shape } from '../../platform/http/fields.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { findReadings } from '../../platform/vocabulary/pinyin.ts';

const Reading = shape('Reading', {
	character: Type.String({ examples: ['王'] }),
	reading: Type.String(described('The most common reading, without its tone.', 'wang')),
});

/** The route of `/api/pinyin`. */
export function pinyinRoutes({ session }: Pick<RouteDependencies, 'session'>) {
	return new Elysia({ prefix: '/api/pinyin' })
		.use(session)
		.get(
			'',
			({ query }) =>
				success(Array.from(findReadings(query.text ?? ''), ([character, reading]) => ({ character, reading }))),
			{
				transform: permitDespite(),
				query: parameters({ text: keyword('Chinese characters.', '王芳', 500) }),
				response: { 200: Success(Type.Array(Reading)), ...protectedFailures() },
				...doc('listReadings', 'List the pinyin of the Chinese characters in a text'),
			},
		);
}
