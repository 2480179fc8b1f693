import type { CreateEmployee } from '../../employees/model.ts';
import type { RoleSummary } from '../../roles/model.ts';
import { type ResourceSheet, type SheetColumns, statusExplanation } from '../layout.ts';

/** The columns of employees, for imports, exports and the template. An import saves each of them. */
export const employeeColumns = {
	name: {
		headings: ['姓名', 'name', '员工姓名', '员工名称', '人员姓名', '名字', '员工'],
		width: 16,
		required: true,
		explanation: ['1 至 50 个字符', '王芳'],
	},
	phone: {
		headings: ['手机号', 'phone', '手机号码', '手机', '联系手机', '电话', '电话号码', '联系电话', '联系方式', 'mobile'],
		width: 16,
		required: true,
		unique: true,
		explanation: ['11 位中国大陆手机号，不能与在职员工重复；请保持单元格格式为“文本”', '13800138000'],
	},
	store: {
		headings: ['门店', 'store', '所属门店', '所在门店', '门店名称', '店铺', '店铺名称', '所属店铺', '分店', '店名'],
		width: 24,
		required: true,
		explanation: ['已启用门店的名称或编号', '人民路店'],
	},
	roles: {
		headings: ['角色', 'roles', '角色名称', '岗位', '岗位名称', '职位', '职务', 'role'],
		width: 24,
		clearable: true,
		explanation: ['角色的名称或编码，多个用“、”或“,”分隔；不能高于自己的权限', '店长、收银员'],
	},
	status: { headings: ['状态', 'status', '员工状态', '账号状态'], width: 8, explanation: statusExplanation },
	remark: {
		headings: ['备注', 'remark', '备注说明', '备注信息', '说明'],
		width: 40,
		clearable: true,
		explanation: ['最多 500 个字符', '早班'],
	},
	id: { headings: ['编号', 'id', '员工编号'], width: 8, unique: true },
	externalId: {
		headings: ['工号', 'externalId', '员工工号', '外部编号'],
		width: 16,
		unique: true,
		explanation: ['其他系统（如工资系统）中的编号，最多 64 个字符，不能重复', 'P-1042'],
	},
} as const satisfies Partial<SheetColumns<'id' | 'store' | 'roles' | keyof CreateEmployee>>;
export type EmployeeColumn = keyof typeof employeeColumns;

/** Employees are identified by their ids or, without ids, by their phones. */
export const employeeSheet: ResourceSheet<EmployeeColumn> = {
	resource: 'employees',
	noun: '员工',
	columns: employeeColumns,
	key: 'phone',
};

/** The separators of roles in a cell. */
export const roleSeparator = /[、,，]/;

/** Further separators that people use. A name of a role can contain one, so the whole name is looked up first. */
export const looseRoleSeparator = /[\s;；/|+]+/;

/** Looks a role up by its code, or by its name if the name is unique. */
export function roleWords<Role extends Pick<RoleSummary, 'code' | 'name'>>(roles: readonly Role[]) {
	const byCode = new Map(roles.map((role) => [role.code, role]));
	const byName = Map.groupBy(roles, (role) => role.name);
	return {
		/** The roles with a code or a name: one, none, or all of those with the same name. */
		find: (word: string): readonly Role[] => {
			const role = byCode.get(word);
			return role ? [role] : (byName.get(word) ?? []);
		},
		/** The word for a role: its name if an import finds this role by it, else its code. */
		wordFor: ({ code, name }: Pick<Role, 'code' | 'name'>): string => {
			const isPlain = byName.get(name)?.length === 1 && !byCode.has(name) && !roleSeparator.test(name);
			return isPlain ? name : code;
		},
	};
}
