/** The programs that sign people in, as clients of OpenID Connect. */
import { and, eq } from 'drizzle-orm';
import { signsPeopleIn } from '../../identity/session/grants.ts';
import { hashOfKey, isInForce } from '../../identity/session/keys.ts';
import type { Db } from '../../platform/database/open.ts';
import { param, queries } from '../../platform/database/query.ts';
import { programs } from '../../platform/database/schema.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { isRegistered } from '../programs/redirect.ts';

const read = queries(({ select }) => ({
	byId: select()
		.from(programs)
		.where(and(eq(programs.id, param('id')), signsPeopleIn)),
	addresses: select({ redirectUris: programs.redirectUris }).from(programs).where(signsPeopleIn),
}));

export type Client = NonNullable<ReturnType<typeof findClient>>;

/** The client of a `client_id` such as `program-3`, at a time in ISO 8601. */
export function findClient(db: Db, clientId: string, at: string) {
	const [, digits] = /^program-([1-9]\d{0,14})$/.exec(clientId) ?? [];
	return digits === undefined ? undefined : read(db).byId.get({ id: Number(digits), today: dayOf(at) });
}

/** Whether a page of this origin belongs to a client. */
export function isOriginOfClient(db: Db, origin: string, at: string): boolean {
	const rows = read(db).addresses.all({ today: dayOf(at) });
	const origins = rows.flatMap(({ redirectUris }) => redirectUris.map((uri) => new URL(uri).origin));
	return isRegistered(origins, origin);
}

/** Whether a request comes from this client: it has the client's secret, or the client is public and it has none. */
export function authenticates(client: Client, secret: string | undefined, at: string): boolean {
	if (client.isPublic) return secret === undefined;
	if (secret === undefined) return false;
	const { secretHash: newest, previousSecretHash: previous, previousSecretUntil: until } = client;
	return isInForce(hashOfKey(secret), { newest, previous, until }, at);
}
