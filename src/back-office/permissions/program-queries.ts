/** The programs that call with a key of their own. */
import { queryOptions } from '@tanstack/react-query';
import type { Program } from '../../features/programs/model.ts';
import { addDays } from '../../platform/vocabulary/day.ts';
import { covers, type Permission } from '../../platform/vocabulary/permissions.ts';
import { isLimited, type Own } from '../account/own.ts';
import { answer, api, ifMatch, type Versioned } from '../api/client.ts';
import { thingsOf } from '../api/things.ts';
import type { Choice } from '../employees/employee-queries.ts';
import { today } from '../page/day.ts';

/** A program; its key only in the answer that makes one. */
export type KeyedProgram = Program & { key?: string };

/** All of them. */
export const programs = queryOptions({ queryKey: ['programs'], queryFn: () => answer(api.programs.get()) });

export const oneProgram = thingsOf('programs', api.programs, {});

/** Gives it another key; the one before works for another hour, or no longer. */
export const renewKey = ({ id, version }: Versioned<Program>, atOnce: boolean): Promise<KeyedProgram> =>
	answer(api.programs({ id }).key.post(undefined, { ...ifMatch(version), query: atOnce ? { at: 'once' } : {} }));

/** Whether the account holds all of some codes: nobody gives a program more than they may do. */
export function coversAll({ user }: Own, codes: readonly Permission[]): boolean {
	return covers(new Set(user.permissions as Permission[]), new Set(codes));
}

/** Whether the account may change a program; `stores` are those whose people it reaches. */
export function mayChange(own: Own, { permissions, storeId }: Program, stores: readonly Choice[]): boolean {
	const isReached = storeId === null || !isLimited(own) || stores.some(({ id }) => id === storeId);
	return own.can('permission:manage') && coversAll(own, permissions) && isReached;
}

export const isOver = ({ endsOn }: Program): boolean => endsOn < today();

/** Whether a program that still works ends within 14 days. */
export const endsSoon = (program: Program): boolean => !isOver(program) && program.endsOn <= addDays(today(), 14);
