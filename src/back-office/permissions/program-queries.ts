/** The programs that call with a key of their own, or sign people in. */
import type { Program } from '../../features/programs/model.ts';
import { addDays, isOver } from '../../platform/vocabulary/day.ts';
import { daysAhead } from '../../platform/vocabulary/limits.ts';
import { isProgramCode, isStoreScoped, type Permission } from '../../platform/vocabulary/permissions.ts';
import type { Own } from '../account/own.ts';
import { answer, api, ifMatch, type Versioned } from '../api/client.ts';
import { queryOf, thingsOf } from '../api/things.ts';
import type { Choice } from '../employees/employee-queries.ts';
import { today } from '../page/day.ts';

/** A program. Its key and its client secret are only in the answer that creates them. */
export type KeyedProgram = Program & { key?: string; clientSecret?: string };

/** The name by which a program signs people in. */
export const clientIdOf = ({ id }: Pick<Program, 'id'>) => `program-${id}`;

/** All programs. */
export const programs = queryOf(['programs'], () => api.programs.get());

export const oneProgram = thingsOf('programs', api.programs, {});

/** Gives a program a new key or client secret. The old one works for another hour, or ends at once. */
export function renew(what: 'key' | 'secret', { id, version }: Versioned<Program>, atOnce: boolean) {
	const options = { ...ifMatch(version), query: atOnce ? { at: 'once' as const } : {} };
	return answer<{ data: KeyedProgram }>(api.programs({ id })[what].post(undefined, options));
}

/** Whether the account may give a code to a program: any of the chain's own, and the program's codes that it has. */
export function canGive({ can }: Own, code: Permission): boolean {
	return !isProgramCode(code) || can(code);
}

/** Whether an account that gives permissions may give this program a new key; `stores` are the stores that it reaches. */
export function canRenewKey(own: Own, { permissions, storeId }: Program, stores: readonly Choice[]): boolean {
	const isReached = storeId === null || !isStoreScoped(own.permissions) || stores.some(({ id }) => id === storeId);
	return permissions.every((code) => canGive(own, code)) && isReached;
}

export const hasEnded = ({ endsOn }: Program): boolean => isOver(endsOn, today());

/** Whether a live program ends within {@link daysAhead}. */
export const endsSoon = (program: Program): boolean =>
	program.endsOn !== null && !hasEnded(program) && program.endsOn <= addDays(today(), daysAhead);
