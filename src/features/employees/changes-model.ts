/** The shapes of changing many employees at once. */
import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	described,
	flag,
	id,
	integer,
	nullableInteger,
	parameters,
	shape,
	uniqueIds,
} from '../../platform/http/fields.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { CreateEmployee, maxRolesOfOne } from './model.ts';

const { storeId, status } = CreateEmployee.properties;

export const changesMessages = {
	refused: (count: number) => because('some_refused', `有 ${count} 名员工不能更改，因此没有更改任何人`, { count }),
	nothingToUndo: because('nothing_to_undo', '没有可以撤销的更改'),
	tooLate: (hours: number) => because('too_late', `超过 ${hours} 小时的更改不能撤销`, { limit: hours }),
	changedSince: (who: string, what: string) => because('changed', `${who}修改了${what}`),
	closedAgain: because('changed', '门店之后又被禁用过，这次关闭不能撤销'),
	deletedSince: (who: string) => because('changed', `${who}删除了该员工`),
} as const;

const someRoles = (description: string) =>
	Type.Array(id('The id of a role.', 2), {
		minItems: 1,
		maxItems: maxRolesOfOne,
		error: `须为 1 至 ${maxRolesOfOne} 个角色 id 的数组`,
		description,
		examples: [[2]],
	});

const EmployeesChange = atLeastOne(
	'EmployeesChange',
	'The change for each employee: exactly one field.',
	{
		storeId,
		status,
		addRoleIds: someRoles(`The ids of the roles to assign, 1 to ${maxRolesOfOne}.`),
		removeRoleIds: someRoles(`The ids of the roles to remove, 1 to ${maxRolesOfOne}.`),
		delete: Type.Literal(true, { error: '须为 true', description: 'Deletes the employees.', examples: [true] }),
	},
	{ maxProperties: 1, examples: [{ status: 'INACTIVE' }] },
);
export type EmployeesChange = Static<typeof EmployeesChange>;

/** The body of POST /api/employees/changes. */
export const ChangeEmployees = body('ChangeEmployees', 'The employees to change, and the change.', {
	ids: uniqueIds(maxPeopleAtOnce, '员工', 'employees'),
	change: EmployeesChange,
});
export type ChangeEmployees = Static<typeof ChangeEmployees>;

/** The answer of POST /api/employees/changes. */
export const ChangedEmployees = shape('ChangedEmployees', {
	changed: Type.Integer(described('The number of changed employees; with dryRun, of employees who would change.', 280)),
	unchanged: Type.Integer(described('The number of employees who need no change; they get no record.', 20)),
	groupId: nullableInteger(
		described('The id of the change, for the history and for undoing it; null without a change.', 4),
	),
});
export type ChangedEmployees = Static<typeof ChangedEmployees>;

/** The path of POST /api/employees/changes/:groupId/undo. */
export const GroupPath = Type.Object({ groupId: integer('The groupId of the answer to the change.', 4) });

/** The query of POST /api/employees/changes/:groupId/undo. */
export const UndoQuery = parameters({
	others: flag('With true, employees who cannot be changed back are skipped, unless that is everyone.'),
});
