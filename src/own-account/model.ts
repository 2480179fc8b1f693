import { type Static, Type } from '@sinclair/typebox';
import { nullableTimestamp } from '../http/reply.ts';

/** What GET /api/auth/me/password answers. */
export const OwnPassword = Type.Object(
	{
		isInitial: Type.Boolean({
			description:
				'Whether the password is still the one that the account started with, or a one-time password: ask for a new one.',
			examples: [true],
		}),
		changedAt: nullableTimestamp('When it was last changed or reset; null when it never was.'),
	},
	{ title: 'OwnPassword' },
);
export type OwnPassword = Static<typeof OwnPassword>;
