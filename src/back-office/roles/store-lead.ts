import type { CreateRole } from '../../roles/model.ts';
import type { PermissionCode } from '../../vocabulary/permissions.ts';

/** A role that a form begins with. */
export interface RoleDraft {
	values: CreateRole;
	permissions: readonly PermissionCode[];
}

/** Who leads a store and manages its people: the built-in 店长 may only look. */
export const storeLead: RoleDraft = {
	values: { name: '店长（管理本店）', code: 'store_lead', description: '新增和编辑本店员工，重置密码' },
	permissions: ['employee:view:store', 'employee:manage'],
};
