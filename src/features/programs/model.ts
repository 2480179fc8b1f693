import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	checked,
	day,
	described,
	nullableInteger,
	oneOf,
	optionalId,
	parameters,
	shape,
	uniqueName,
} from '../../platform/http/fields.ts';
import { nullableTimestamp, timestampFields } from '../../platform/http/reply.ts';
import { codePattern, maxCodes, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** The maximum number of programs. */
export const maxPrograms = 100;

/** Messages to end users about programs. */
export const programMessages = {
	notFound: because('not_found', '接入程序不存在'),
	nameTaken: because('not_unique', '接入程序名称已存在'),
	limitReached: because('limit_reached', `接入程序数量已达上限（${maxPrograms} 个）`, { limit: maxPrograms }),
	needsStore: because('store_required', '只查看本店员工的程序须指定一家门店'),
	takesNoStore: because('store_not_allowed', '能查看全部员工或不查看员工的程序不能指定门店'),
	badStore: because('store_not_found', '指定的门店不存在或已删除'),
	over: because('day_over', '程序到期日不能早于今天'),
	tooFar: because('day_too_late', '程序到期日最远为一年后的今天'),
	withheld: because('permission_withheld', '程序不能有管理角色和分配权限的权限'),
} as const;

const changeable = {
	name: uniqueName(50, described('1 to 50 characters after trimming.', '工资系统')),
	permissions: Type.Array(
		checked<PermissionCode>(
			{ type: 'string', pattern: `^(?!(?:role|permission):manage$)${codePattern}$`, error: '须为权限编码' },
			(value) => typeof value === 'string',
		),
		{
			minItems: 1,
			maxItems: maxCodes,
			error: `须为权限编码的数组，1 至 ${maxCodes} 个`,
			description:
				'Its permissions: codes of the definitions except role:manage and permission:manage; codes that they depend on are added.',
			examples: [['employee:view:all', 'store:view']],
		},
	),
	storeId: Type.Optional(
		optionalId(
			'The only store it reaches: required with employee:view:store and without employee:view:all, otherwise not allowed.',
		),
	),
	endsOn: day("The last day on which it works in the machine's time zone; today or later, at most a year ahead."),
};

/** The body of POST /api/programs. */
export const CreateProgram = body('CreateProgram', 'The new program.', changeable);
export type CreateProgram = Static<typeof CreateProgram>;

/** The body of PATCH /api/programs/:id. */
export const UpdateProgram = atLeastOne('UpdateProgram', 'The fields to change; at least one.', changeable);
export type UpdateProgram = Static<typeof UpdateProgram>;

/** The query of POST /api/programs/:id/key. */
export const KeyQuery = parameters({
	at: oneOf(['once'], {
		error: '须为 once',
		description: 'With once, every earlier key ends now instead of in an hour.',
		examples: ['once'],
	}),
});

/** A program without its keys, which are stored as hashes only. */
export const Program = shape('Program', {
	id: Type.Integer({ examples: [3] }),
	name: Type.String({ examples: ['工资系统'] }),
	permissions: Type.Array(Type.Unsafe<PermissionCode>(Type.String()), {
		examples: [['employee:view:all', 'store:view']],
	}),
	storeId: nullableInteger(described('The only store that it reaches; null: all stores.', null)),
	endsOn: Type.String(described('The last day on which it works.', '2026-11-30')),
	lastUsedAt: nullableTimestamp('The time of its last call, to the minute; null: never.'),
	...timestampFields,
});
export type Program = Static<typeof Program>;

/** A program with its new key, which is shown only once. */
export const ProgramWithKey = shape('ProgramWithKey', {
	...Program.properties,
	key: Type.String({
		description: 'For `Authorization: Bearer <key>`. Save it: it is shown only once.',
		examples: ['access_7vBq0uJt2cXk9Zr5LwYh3NdF8sGm1PaEoTi6QxCvRbU'],
	}),
});
