import { type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	described,
	flag,
	formattedText,
	keyword,
	nullableText,
	optionalText,
	paged,
	parameters,
	shape,
	uniqueName,
} from '../../platform/http/fields.ts';
import { timestampFields } from '../../platform/http/reply.ts';
import { because } from '../../platform/vocabulary/reasons.ts';

/** The maximum number of roles, built-in ones included: the list of all roles and their policies are not paged. */
export const maxRoles = 1000;

/** Messages to end users about roles. */
export const roleMessages = {
	notFound: because('not_found', '角色不存在'),
	codeTaken: because('not_unique', '角色编码已存在'),
	limitReached: because('limit_reached', `角色数量已达上限（${maxRoles} 个）`, { limit: maxRoles }),
	builtIn: because('built_in', '内置角色不可修改或删除'),
	bound: (count: number) => because('in_use', `角色仍绑定 ${count} 名员工，不能删除`, { count }),
} as const;

/** A role. */
export const Role = shape('Role', {
	id: Type.Integer({ examples: [6] }),
	code: Type.String(described('Unique among the roles that are not deleted.', 'shift_leader')),
	name: Type.String({ examples: ['值班长'] }),
	description: nullableText({ examples: ['负责当班'] }),
	isSystem: Type.Boolean(described('True for the built-in roles.', false)),
	...timestampFields,
});
export type Role = Static<typeof Role>;

/** The short form of a role, as accounts and employees show it. */
export const RoleSummary = shape('RoleSummary', {
	id: Type.Integer({ examples: [2] }),
	code: Type.String({ examples: ['store_manager'] }),
	name: Type.String({ examples: ['店长'] }),
});
export type RoleSummary = Static<typeof RoleSummary>;

const changeable = {
	code: formattedText('[a-z][a-z0-9_]{0,49}', {
		error: '请以小写字母开头，只用小写字母、数字和下划线，最多 50 个字符',
		description: '1 to 50 characters after trimming: a-z first, then a-z, 0-9 or underscore.',
		examples: ['shift_leader'],
	}),
	name: uniqueName(50, '值班长'),
	description: Type.Optional(optionalText(255, '负责当班', { mayHaveLines: true })),
};

/** The body of POST /api/roles. */
export const CreateRole = body('CreateRole', 'The new role.', changeable);
export type CreateRole = Static<typeof CreateRole>;

/** The body of PATCH /api/roles/:id. */
export const UpdateRole = atLeastOne('UpdateRole', changeable);
export type UpdateRole = Static<typeof UpdateRole>;

/** The query of GET /api/roles/code. */
export const RoleCodeQuery = parameters({ name: keyword('The name of a new role.', '值班长') });

/** The answer of GET /api/roles/code. */
export const RoleCode = shape('RoleCode', {
	code: Type.String(described('A code that no role has.', 'zhi_ban_zhang')),
});
export type RoleCode = Static<typeof RoleCode>;

/** The query of GET /api/roles. */
export const RoleQuery = paged({
	keyword: keyword('Part of the code, name or description.', '店长'),
	isSystem: flag('Only the built-in roles, or only the custom ones.'),
	search: keyword('The same, or pinyin or initials of the name; in place of keyword.', 'dz'),
});
export type RoleQuery = Static<typeof RoleQuery>;
