import { type Static, Type } from '@sinclair/typebox';
import { status } from '../http/fields.ts';

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

const byStatus = (what: string) =>
	Type.Object({ ACTIVE: count(`Enabled ${what}.`, 12), INACTIVE: count(`Disabled ${what}.`, 1) });

/** What GET /api/overview answers. Nothing deleted counts. */
export const Overview = Type.Object(
	{
		stores: byStatus('stores'),
		employees: byStatus('employees'),
		employeesPerStore: Type.Array(
			Type.Object({
				storeId: Type.Integer({ examples: [1] }),
				storeName: Type.String({ examples: ['人民路店'] }),
				storeStatus: status('Whether the store is enabled.'),
				employees: count('How many people it has, enabled or not.', 25),
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
		initialPasswords: count('How many employees still have the initial password.', 3),
	},
	{ title: 'Overview' },
);
export type Overview = Static<typeof Overview>;
