import { type Static, type TString, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	beyondExamples,
	body,
	codeList,
	described,
	formattedText,
	nullableText,
	oneOf,
	optionalText,
	shape,
	uniqueName,
} from '../../platform/http/fields.ts';
import { timestampFields } from '../../platform/http/reply.ts';
import { maxPoints } from '../../platform/vocabulary/limits.ts';
import { actionLabels, allActions, codePattern, type PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** The maximum length of a group title. */
export const maxGroupTitle = 20;

/** Messages to end users about permission points. */
export const pointMessages = {
	notFound: because('not_found', '权限不存在'),
	codeTaken: because('not_unique', '权限编码已存在'),
	limitReached: because('limit_reached', `自定义权限数量已达上限（${maxPoints} 个）`, { limit: maxPoints }),
	askedBy: (program: string) => because('required_by_program', `登录“${program}”需要该权限，请先修改该接入程序`),
	title: (title: string) => because('reserved', `“${title}”是系统权限的名称，请换一个`),
	groupTitle: (title: string) => because('reserved', `“${title}”是系统权限的名称，请换一个分组名称`),
	ofProgram: (group: string) => because('reserved', `“${group}”是系统权限的分组，请换一个`),
} as const;

const Actions = Type.Array(oneOf(allActions), { examples: [allActions] });

const menuFields = { key: Type.String({ examples: ['stores'] }), title: Type.String({ examples: ['门店管理'] }) };

const PermissionMenu = shape('PermissionMenu', {
	...menuFields,
	icon: beyondExamples(Type.Optional(Type.String({ examples: ['key'] }))),
	permission: Type.String(described('The code that shows the menu.', 'store:view')),
	actions: Actions,
});

/** The answer of GET /api/permissions/me. */
export const OwnPermissions = shape('OwnPermissions', {
	permissions: Type.Array(Type.String(), { examples: [['store:view']] }),
	menus: Type.Array(PermissionMenu),
});

/** One assignable permission point. */
export const PermissionDefinition = shape('PermissionDefinition', {
	code: Type.Unsafe<PermissionCode>(Type.String({ examples: ['store:view'] })),
	title: Type.String({ examples: ['查看门店'] }),
	description: Type.String(
		described('The description; empty without one.', '查看门店列表、门店详情、门店选项和门店员工'),
	),
	groupKey: Type.String({ examples: ['stores'] }),
	groupTitle: Type.String({ examples: ['门店管理'] }),
});

const PermissionGroup = shape('PermissionGroup', { ...menuFields, permissions: Type.Array(PermissionDefinition) });

const actionLabelFields = Object.fromEntries(
	Object.entries(actionLabels).map(([action, label]) => [action, Type.String({ examples: [label] })]),
) as Record<keyof typeof actionLabels, TString>;

const MenuDefinition = shape('MenuDefinition', {
	...menuFields,
	permission: Type.String({ examples: ['store:view'] }),
	actions: Actions,
	actionLabels: Type.Object(actionLabelFields),
});

/** The answer of GET /api/permissions/definitions. */
export const PermissionDefinitions = shape('PermissionDefinitions', {
	permissions: Type.Array(PermissionDefinition),
	groups: Type.Array(PermissionGroup),
	menus: Type.Array(MenuDefinition),
});

/** The permissions, scope and menus of a role. */
export const PermissionPolicy = shape('PermissionPolicy', {
	roleId: Type.Integer(described('0 for the super administrator.', 2)),
	roleCode: Type.String({ examples: ['store_manager'] }),
	roleName: Type.String({ examples: ['店长'] }),
	roleDescription: Type.String({ examples: ['查看本店员工'] }),
	isSystem: Type.Boolean({ examples: [true] }),
	editable: Type.Boolean(described('False for the super administrator only.', true)),
	scope: Type.String({ examples: ['current store'] }),
	permissions: Type.Array(Type.String(), { examples: [['employee:view:store']] }),
	menus: Type.Array(
		Type.Object({
			key: Type.String({ examples: ['employees'] }),
			title: Type.String({ examples: ['员工管理'] }),
			actions: Actions,
		}),
	),
});
export type PermissionPolicy = Static<typeof PermissionPolicy>;

/** The body of PUT /api/permissions/roles/:roleId. */
export const ReplacePermissions = body('ReplacePermissions', 'The complete new set.', {
	permissions: codeList('The codes to grant to the role, from the definitions; codes that they depend on are added.', [
		['store:view', 'employee:view:all'],
	]),
});
export type ReplacePermissions = Static<typeof ReplacePermissions>;

const pointFields = {
	title: uniqueName(20, '退款'),
	description: Type.Optional(optionalText(100, '为顾客办理退款', { mayHaveLines: true })),
	groupTitle: Type.Optional(optionalText(maxGroupTitle, '收银', { mustBeVisible: true, isUnmistakable: true })),
};

/** The body of POST /api/permissions/points. */
export const CreatePoint = body('CreatePoint', 'The new permission point.', {
	code: Type.Unsafe<PermissionCode>(
		formattedText(`(?![a-z0-9_:]{61})${codePattern}`, {
			error: '请用冒号分隔各部分，每部分以小写字母开头，只用小写字母、数字和下划线，共 3 至 60 个字符',
			description:
				'3 to 60 characters after trimming: parts between colons, each a-z first, then a-z, 0-9 or underscore. The part ' +
				"before the first colon is its group; the groups of the program's own codes are taken.",
			examples: ['till:refund'],
		}),
	),
	...pointFields,
});
export type CreatePoint = Static<typeof CreatePoint>;

/** The body of PATCH /api/permissions/points/:id. */
export const UpdatePoint = atLeastOne('UpdatePoint', pointFields);
export type UpdatePoint = Static<typeof UpdatePoint>;

/** A permission point of the chain. */
export const Point = shape('PermissionPoint', {
	id: Type.Integer({ examples: [1] }),
	code: Type.Unsafe<PermissionCode>(Type.String({ examples: ['till:refund'] })),
	title: Type.String({ examples: ['退款'] }),
	description: nullableText({ examples: ['为顾客办理退款'] }),
	groupTitle: Type.String(described('The same for all points of the group.', '收银')),
	roles: Type.Integer(described('The number of roles with this point.', 2)),
	employees: Type.Integer(described('The number of employees with this point, enabled or not.', 41)),
	...timestampFields,
});
export type Point = Static<typeof Point>;
