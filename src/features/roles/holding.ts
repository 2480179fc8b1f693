/** Until when permissions are held: a role can be given until a day. */

import type { Actor } from '../../identity/session/actor.ts';
import { permissionsOfRoles } from '../../identity/session/points.ts';
import type { Db } from '../../platform/database/open.ts';
import { covers, hasPermission, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { heldRoles } from './service.ts';

/** Until when an actor holds a code; null for good, or without a role that holds it. */
export function heldUntil(db: Db, actor: Actor, code: PermissionCode): string | null {
	if (actor.accountType !== 'EMPLOYEE') return null;
	const own = heldRoles(db, [actor.id]).get(actor.id) ?? [];
	const granted = permissionsOfRoles(db, own);
	return latest(own.filter(({ id }) => covers(granted.get(id) ?? new Set(), new Set([code]))));
}

/** Whether an actor sees the people of all stores, and no day ends that. */
export function seesAllForGood(db: Db, actor: Actor): boolean {
	return hasPermission(actor.permissions, 'employee:view:all') && heldUntil(db, actor, 'employee:view:all') === null;
}

/** The later end counts where something is held in two ways; null when one of them does not end. */
export function latest(held: readonly { until: string | null }[]): string | null {
	const days = held.map(({ until }) => until);
	return days.includes(null) ? null : (days.toSorted().at(-1) ?? null);
}

/** Whether what ends on a day, or never (null), goes on when another end has come. */
export function outlasts(until: string | null, end: string | null): boolean {
	return end !== null && (until === null || until > end);
}
