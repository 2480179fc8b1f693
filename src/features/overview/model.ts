import { type Static, Type } from '@sinclair/typebox';
import { choice, described, shape } from '../../platform/http/fields.ts';
import { nullableTimestamp } from '../../platform/http/reply.ts';
import { daysAhead, idleDays } from '../../platform/vocabulary/limits.ts';
import { type Status, storeStatuses } from '../../platform/vocabulary/status.ts';
import { Ending, StoreActivity } from '../employees/model.ts';

const count = (description: string, example: number) => Type.Integer(described(description, example));

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-21'] });

const byStatus = (what: string) =>
	Type.Object({
		ACTIVE: count(`Enabled ${what}.`, 12),
		INACTIVE: count(`Disabled ${what}.`, 1),
	} satisfies Record<Status, unknown>);

const storeFields = {
	storeId: Type.Integer({ examples: [1] }),
	storeName: Type.String({ examples: ['人民路店'] }),
	storeStatus: choice(storeStatuses, 'Whether the store is enabled.'),
	employees: count('The number of employees, enabled or not.', 25),
	enabled: count('The number of enabled employees; in a disabled store they are locked out.', 24),
};

const attentionFields = {
	signedInBefore: day(`${idleDays} days before today, for the filter of the list.`),
	lockedOut: count('The number locked out because their store is disabled.', 27),
	initialPasswords: count(
		'The number with the initial password, or without a password where REQUIRE_OWN_PASSWORD is on.',
		3,
	),
	expiredPasswords: count('The number with an expired one-time password.', 1),
	neverSignedIn: count('The number who never signed in.', 12),
	notLately: count('The number who last signed in before `signedInBefore`.', 5),
	withoutRole: count('The number without a role.', 2),
};

const attention = {
	description: 'Counts of enabled employees who need attention. The list of employees has a filter for each.',
};

const ending = Type.Object(
	{
		total: count('The total number.', 1),
		items: Type.Array(Ending, { description: 'The next entries, at most 20.' }),
	},
	{ description: `The last days of employees and of their roles within ${daysAhead} days.` },
);

/** The maximum number of stores in the answer of GET /api/overview/reach. */
export const maxReachStores = 20;

/** The answer of GET /api/overview/reach: the stores whose employees the caller sees. */
export const ReachOverview = shape('ReachOverview', {
	today: day("The machine's day."),
	stores: Type.Object({
		total: count('The number of stores.', 3),
		items: Type.Array(
			Type.Object({
				...storeFields,
				leads: StoreActivity.properties.leads,
				lastSignInAt: nullableTimestamp('The time of the last sign-in by one of its employees; null without one.'),
			}),
			{ description: `The stores by id, at most ${maxReachStores}.` },
		),
	}),
	attention: Type.Object(attentionFields, attention),
	ending,
});
export type ReachOverview = Static<typeof ReachOverview>;

/** The answer of GET /api/overview. Deleted stores, roles and employees are not counted. */
export const Overview = shape('Overview', {
	stores: byStatus('stores'),
	employees: byStatus('employees'),
	employeesPerStore: Type.Array(Type.Object(storeFields), { description: 'Every store, by id.' }),
	holdersPerRole: Type.Array(
		Type.Object({
			roleId: Type.Integer({ examples: [2] }),
			roleCode: Type.String({ examples: ['store_manager'] }),
			roleName: Type.String({ examples: ['店长'] }),
			holders: count('The number of employees with this role, enabled or not.', 13),
		}),
		{ description: 'Every role, by id.' },
	),
	today: day("The machine's day."),
	attention: Type.Object(
		{ ...attentionFields, refusedSignIns: count('The number of sign-ins refused today.', 5) },
		attention,
	),
	ending,
	week: Type.Array(
		Type.Object({
			day: day('The day.'),
			hired: count('The number of employees hired.', 3),
			left: count('The number of employees disabled or deleted.', 1),
			moved: count('The number of moves to another store.', 2),
			newRoles: count('The number of employees with a new role.', 1),
		}),
		{ description: "Today and the six days before, in the machine's time zone, as far as the history is kept." },
	),
	movements: Type.Object(
		{
			from: day('The first of the seven days.'),
			hired: count('The number of employees hired.', 12),
			left: count('The number of employees disabled or deleted and not enabled again.', 2),
			moved: count('The number of moves to another store.', 3),
			newRoles: count('The number of times an employee got a new role.', 4),
			busiest: Type.Optional(
				Type.Object(
					{ storeId: Type.Integer({ examples: [1] }), storeName: Type.String({ examples: ['人民路店'] }) },
					{ description: 'The store with the most new employees; absent above 10,000 of them.' },
				),
			),
		},
		{ description: 'The week as a whole.' },
	),
	initialPasswords: count(
		'The number of employees with the initial password, or without a password where REQUIRE_OWN_PASSWORD is on.',
		3,
	),
});
export type Overview = Static<typeof Overview>;
