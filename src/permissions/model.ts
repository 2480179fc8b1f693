import { type Static, type TString, Type } from '@sinclair/typebox';
import { body } from '../http/fields.ts';
import { oneOf } from '../http/schema-types.ts';
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
const PermissionMenu = Type.Object(
	{
		...menuFields,
		icon: Type.Optional(Type.String({ examples: ['key'] })),
		permission: Type.String({ description: 'The code that shows the menu.', examples: ['store:view'] }),
		actions: Actions,
	},
	{ title: 'PermissionMenu' },
);

/** What GET /api/permissions/me answers. */
export const OwnPermissions = Type.Object(
	{
		permissions: Type.Array(Type.String(), { examples: [['store:view']] }),
		menus: Type.Array(PermissionMenu),
	},
	{ title: 'OwnPermissions' },
);

/** One assignable permission point. */
const PermissionDefinition = Type.Object(
	{
		code: Type.String({ examples: ['store:view'] }),
		title: Type.String({ examples: ['查看门店'] }),
		description: Type.String({ examples: ['查看门店列表、门店详情、门店选项和门店员工'] }),
		groupKey: Type.String({ examples: ['stores'] }),
		groupTitle: Type.String({ examples: ['门店管理'] }),
	},
	{ title: 'PermissionDefinition' },
);

const PermissionGroup = Type.Object(
	{
		...menuFields,
		permissions: Type.Array(PermissionDefinition),
	},
	{ title: 'PermissionGroup' },
);

const actionLabelFields = Object.fromEntries(
	actions.map((action) => [action, Type.String({ examples: [actionLabels[action]] })]),
) as Record<Action, TString>;

const MenuDefinition = Type.Object(
	{
		...menuFields,
		permission: Type.String({ examples: ['store:view'] }),
		actions: Actions,
		actionLabels: Type.Object(actionLabelFields),
	},
	{ title: 'MenuDefinition' },
);

/** What GET /api/permissions/definitions answers. */
export const PermissionDefinitions = Type.Object(
	{
		permissions: Type.Array(PermissionDefinition),
		groups: Type.Array(PermissionGroup),
		menus: Type.Array(MenuDefinition),
	},
	{ title: 'PermissionDefinitions' },
);

/** What a role may do. */
export const PermissionPolicy = Type.Object(
	{
		roleId: Type.Integer({ description: '0 for the super administrator.', examples: [2] }),
		roleCode: Type.String({ examples: ['store_manager'] }),
		roleName: Type.String({ examples: ['店长'] }),
		roleDescription: Type.String({ examples: ['查看本店员工'] }),
		isSystem: Type.Boolean({ examples: [true] }),
		editable: Type.Boolean({ description: 'False for the super administrator only.', examples: [true] }),
		scope: Type.String({ examples: ['current store'] }),
		permissions: Type.Array(Type.String(), { examples: [['employee:view:store']] }),
		menus: Type.Array(
			Type.Object({
				key: Type.String({ examples: ['employees'] }),
				title: Type.String({ examples: ['员工管理'] }),
				actions: Actions,
			}),
		),
	},
	{ title: 'PermissionPolicy' },
);
export type PermissionPolicy = Static<typeof PermissionPolicy>;

/** The body of PUT /api/permissions/roles/:roleId. */
export const ReplacePermissions = body(
	'ReplacePermissions',
	{
		permissions: Type.Array(oneOf(permissionCodes, { error: `须为以下权限之一：${permissionCodes.join('、')}` }), {
			error: '须为权限编码的数组',
			description: 'The codes that the role is to hold; what they depend on is added.',
			examples: [['store:view', 'employee:view:all']],
		}),
	},
	'The complete new set.',
);
export type ReplacePermissions = Static<typeof ReplacePermissions>;
