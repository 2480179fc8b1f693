/** The columns of employees in spreadsheets, the same ones for import, export and template. */
import type { RoleSummary } from '../../roles/model.ts';

/** The columns in their order, each with the headings by which it is found. */
export const headings = {
	name: ['姓名', 'name', '员工姓名', '员工名称', '人员姓名', '名字', '员工'],
	phone: ['手机号', 'phone', '手机号码', '手机', '联系手机', '电话', '电话号码', '联系电话', '联系方式', 'mobile'],
	store: ['门店', 'store', '所属门店', '所在门店', '门店名称', '店铺', '店铺名称', '所属店铺', '分店', '店名'],
	roles: ['角色', 'roles', '角色名称', '岗位', '岗位名称', '职位', '职务', 'role'],
	status: ['状态', 'status', '员工状态', '账号状态'],
	remark: ['备注', 'remark', '备注说明', '备注信息', '说明'],
	id: ['编号', 'id', '员工编号'],
} as const;
/** One of the columns. */
export type Column = keyof typeof headings;
export const columns = Object.keys(headings) as Column[];

/** The columns that people fill in. */
export const writtenColumns = columns.filter((column) => column !== 'id');

/** How wide the columns are written, in characters. */
export const columnWidths: readonly number[] = [16, 16, 24, 24, 8, 40, 8];

/** The columns that a new person must have. */
export const requiredColumns: readonly Column[] = ['name', 'phone', 'store'];

/** What separates roles in a cell. */
export const roleSeparator = /[、,，]/;

/** What people write between roles, too, but names of roles can hold: a name that holds one is looked for first. */
export const looseRoleSeparator = /[\s;；/|+]+/;

/** Looks a role up by its code, or by its name if the name is unique. */
export function roleWords<Role extends Pick<RoleSummary, 'code' | 'name'>>(roles: readonly Role[]) {
	const byCode = new Map(roles.map((role) => [role.code, role]));
	const byName = Map.groupBy(roles, (role) => role.name);
	return {
		/** The roles that a word stands for: one, none or, for a name that several have, all of those. */
		find: (word: string): readonly Role[] => {
			const role = byCode.get(word);
			return role ? [role] : (byName.get(word) ?? []);
		},
		/** The word for a role: its name when that is read as this role, else its code. */
		wordFor: ({ code, name }: Pick<Role, 'code' | 'name'>): string => {
			const isPlain = byName.get(name)?.length === 1 && !byCode.has(name) && !roleSeparator.test(name);
			return isPlain ? name : code;
		},
	};
}
