/** What end users are told about employees, and the labels of their status tags (specification, section 2). */
export const employeeMessages = {
	notFound: '员工不存在',
	phoneTaken: '手机号已存在',
	badStore: '门店不存在或已停用',
	badRole: '角色不存在或已删除',
	otherStore: '只能操作本门店的员工',
	actsUpward: '不能操作权限高于自己的员工',
	bindsUpward: '不能分配权限高于自己的角色',
} as const;

export const statusTagLabels = {
	EMPLOYEE_ACTIVE: '员工启用',
	EMPLOYEE_INACTIVE: '员工禁用',
	STORE_INACTIVE: '门店禁用',
} as const;
