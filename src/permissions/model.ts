import { type Static, type TString, Type } from '@sinclair/typebox';
import { body } from '../http/fields.ts';
import { described, oneOf, shape } from '../http/schema-types.ts';
import { type Action, actionLabels, permissionCodes } from '../vocabulary/permissions.ts';

const actions = Object.keys(actionLabels) as Action[];
const Actions = Type.Array(oneOf(actions), {
	examples: [['view', 'create', 'update', 'delete']],
});

const menuFields = {
	key: Type.String({ examples: ['stores'] }),
	title: Type.String({ examples: ['门店管理'] }),
};

/** A menu of the back office. */
const PermissionMenu = shape('PermissionMenu', {
	...menuFields,
	icon: Type.Optional(Type.String({ examples: ['key'] })),
	permission: Type.String(described('The code that shows the menu.', 'store:view')),
	actions: Actions,
});

/** What GET /api/permissions/me answers. */
export const OwnPermissions = shape('OwnPermissions', {
	permissions: Type.Array(Type.String(), { examples: [['store:view']] }),
	menus: Type.Array(PermissionMenu),
});

/** One assignable permission point. */
const PermissionDefinition = shape('PermissionDefinition', {
	code: Type.String({ examples: ['store:view'] }),
	title: Type.String({ examples: ['查看门店'] }),
	description: Type.String({ examples: ['查看门店列表、门店详情、门店选项和门店员工'] }),
	groupKey: Type.String({ examples: ['stores'] }),
	groupTitle: Type.String({ examples: ['门店管理'] }),
});

const PermissionGroup = shape('PermissionGroup', {
	...menuFields,
	permissions: Type.Array(PermissionDefinition),
});

const actionLabelFields = Object.fromEntries(
	actions.map((action) => [action, Type.String({ examples: [actionLabels[action]] })]),
) as Record<Action, TString>;

const MenuDefinition = shape('MenuDefinition', {
	...menuFields,
	permission: Type.String({ examples: ['store:view'] }),
	actions: Actions,
	actionLabels: Type.Object(actionLabelFields),
});

/** What GET /api/permissions/definitions answers. */
export const PermissionDefinitions = shape('PermissionDefinitions', {
	permissions: Type.Array(PermissionDefinition),
	groups: Type.Array(PermissionGroup),
	menus: Type.Array(MenuDefinition),
});

/** What a role may do. */
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
	permissions: Type.Array(oneOf(permissionCodes, { error: `须为以下权限之一：${permissionCodes.join('、')}` }), {
		error: '须为权限编码的数组',
		description: 'The codes that the role is to hold; what they depend on is added.',
		examples: [['store:view', 'employee:view:all']],
	}),
});
export type ReplacePermissions = Static<typeof ReplacePermissions>;
