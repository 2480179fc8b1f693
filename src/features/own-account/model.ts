import { type Static, Type } from '@sinclair/typebox';
import { choice, described, flag, nullableText, parameters, shape, timestamp } from '../../platform/http/fields.ts';
import { nullableTimestamp } from '../../platform/http/reply.ts';

/** The answer of GET /api/auth/me/password. */
export const OwnPassword = shape('OwnPassword', {
	isInitial: Type.Boolean({
		description:
			'Whether the password is still the one that the account started with, or a one-time password: ask for a new one.',
		examples: [true],
	}),
	changedAt: nullableTimestamp('The time of the last change or reset; null without one.'),
});
export type OwnPassword = Static<typeof OwnPassword>;

/** The query of GET /api/auth/me. */
export const MeQuery = parameters({
	include: choice(
		['reach', 'session', 'reach,session'],
		'Adds the stores and areas that an employee was given, or the times of the token.',
	),
});
export type MeQuery = Static<typeof MeQuery>;

/** The query of POST /api/auth/logout. */
export const LogoutQuery = parameters({ everywhere: flag('With true, it ends all sign-ins of the account.') });

/** The answer of GET /api/auth/me/sign-ins. */
export const SignIns = shape('SignIns', {
	items: Type.Array(
		Type.Object({
			id: Type.Integer({ examples: [12] }),
			at: timestamp({ description: 'The time of the sign-in, in UTC with milliseconds.' }),
			address: Type.String(described('The IP address of the client.', '203.0.113.7')),
			client: nullableText(
				described("The client's own name, or its browser or program and system, if known.", '收银台 2'),
			),
			lastUsedAt: nullableTimestamp('The time of the last request, up to five minutes late; null before version 1.3.'),
			isLive: Type.Boolean(described('Whether its token is still valid.', true)),
			isCurrent: Type.Boolean(described('Whether it is the sign-in of this request.', false)),
		}),
		{ description: 'The live ones and the newest 20, newest first; at most 100.' },
	),
});
export type SignIns = Static<typeof SignIns>;
