/**
 * The grants of OpenID Connect: what a program received for one sign-in. Its access token names the grant, which is read
 * at every request. So a token ends with its grant, its program, its account and its sign-in.
 */
import { and, eq, getTableColumns, gt, gte, isNull, ne, or } from 'drizzle-orm';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import { openidGrants, programs } from '../../platform/database/schema.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { holds, type Permission, type Permissions } from '../../platform/vocabulary/permissions.ts';

/** The condition for a program that can sign people in; `today` is a parameter. */
export const signsPeopleIn = and(
	isNull(programs.deletedAt),
	or(isNull(programs.endsOn), gte(programs.endsOn, param('today'))),
	ne(programs.redirectUris, []),
);

const read = queries(({ select }) => {
	const grantBy = (column: 'id' | 'codeHash' | 'familyHash') =>
		select({ ...getTableColumns(openidGrants), signInPermission: programs.signInPermission })
			.from(openidGrants)
			.innerJoin(programs, eq(programs.id, openidGrants.programId))
			.where(and(eq(openidGrants[column], param('value')), gt(openidGrants.expiresAt, param('at')), signsPeopleIn));
	return { id: grantBy('id'), codeHash: grantBy('codeHash'), familyHash: grantBy('familyHash') };
});

/** A grant of a program that signs people in. */
export type OpenidGrant = NonNullable<ReturnType<typeof findOpenidGrant>>;

/** The grant with this value in a column, at a time in ISO 8601, unless it or its program is over. */
export function findOpenidGrant(db: Db, column: 'id' | 'codeHash' | 'familyHash', value: number | string, at: string) {
	return read(db)[column].get({ value, at, today: dayOf(at) });
}

/** Whether a grant has a scope such as `access`. */
export function hasScope({ scope }: Pick<OpenidGrant, 'scope'>, asked: string): boolean {
	return scope.split(' ').includes(asked);
}

/** Whether an account can sign in to a program that requires a permission, or none (null). */
export function canSignInTo({ permissions }: { permissions: Permissions }, required: Permission | null): boolean {
	return required === null || holds(permissions, required);
}
