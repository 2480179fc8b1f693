import { type Static, Type } from '@sinclair/typebox';
import { status } from '../../platform/http/fields.ts';
import { described, shape } from '../../platform/http/schema-types.ts';
import { type Status, storeStatuses } from '../../platform/vocabulary/status.ts';
import { Ending } from '../employees/expiry.ts';

const count = (description: string, example: number) => Type.Integer(described(description, example));

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-21'] });

const byStatus = (what: string) =>
	Type.Object({
		ACTIVE: count(`Enabled ${what}.`, 12),
		INACTIVE: count(`Disabled ${what}.`, 1),
	} satisfies Record<Status, unknown>);

/** What GET /api/overview answers. Nothing deleted counts. */
export const Overview = shape('Overview', {
	stores: byStatus('stores'),
	employees: byStatus('employees'),
	employeesPerStore: Type.Array(
		Type.Object({
			storeId: Type.Integer({ examples: [1] }),
			storeName: Type.String({ examples: ['人民路店'] }),
			storeStatus: status(storeStatuses, 'Whether the store is enabled.'),
			employees: count('How many people it has, enabled or not.', 25),
			enabled: count('How many of them are enabled; in a disabled store they are locked out.', 24),
		}),
		{ description: 'Every store, by id.' },
	),
	holdersPerRole: Type.Array(
		Type.Object({
			roleId: Type.Integer({ examples: [2] }),
			roleCode: Type.String({ examples: ['store_manager'] }),
			roleName: Type.String({ examples: ['店长'] }),
			holders: count('How many people hold it, enabled or not.', 13),
		}),
		{ description: 'Every role, by id.' },
	),
	today: day("The machine's day."),
	attention: Type.Object(
		{
			signedInBefore: day('Ninety days before today, for the filter of the list.'),
			lockedOut: count('How many are locked out, because their store is disabled.', 27),
			initialPasswords: count('How many still have the initial password, or none where that signs nobody in.', 3),
			expiredPasswords: count('How many have a one-time password that has expired.', 1),
			neverSignedIn: count('How many never signed in.', 12),
			notLately: count('How many signed in last before `signedInBefore`.', 5),
			withoutRole: count('How many have no role.', 2),
			refusedSignIns: count('How many sign-ins were refused today.', 5),
		},
		{ description: 'Enabled people who need attention, each as the filter of the list finds them.' },
	),
	ending: Type.Object(
		{
			total: count('How many there are.', 1),
			items: Type.Array(Ending, { description: 'The next ones, at most 20.' }),
		},
		{ description: 'What ends within 14 days: the last days of people, and of their roles.' },
	),
	week: Type.Array(
		Type.Object({
			day: day('The day.'),
			hired: count('How many people were hired.', 3),
			left: count('How many were disabled or deleted.', 1),
			moved: count('How many came to another store.', 2),
			newRoles: count('How many got another role.', 1),
		}),
		{ description: "Today and the six days before, in the machine's time zone, as far as the history is kept." },
	),
	movements: Type.Object(
		{
			from: day('The first of the seven days.'),
			hired: count('How many people were hired.', 12),
			left: count('How many people were disabled or deleted, and are not enabled again.', 2),
			moved: count('How often somebody came to another store.', 3),
			newRoles: count('How often somebody got another role.', 4),
			busiest: Type.Optional(
				Type.Object(
					{ storeId: Type.Integer({ examples: [1] }), storeName: Type.String({ examples: ['人民路店'] }) },
					{ description: 'The store with most of the people who were hired; absent above 10,000 of them.' },
				),
			),
		},
		{ description: 'The week as a whole.' },
	),
	initialPasswords: count('How many employees still have the initial password, or none where that signs nobody in.', 3),
});
export type Overview = Static<typeof Overview>;
