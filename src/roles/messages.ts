/** What end users are told about roles. */
export const roleMessages = {
	notFound: '角色不存在',
	codeTaken: '角色编码已存在',
	builtIn: '内置角色不可修改或删除',
	bound: '角色已绑定员工，不能删除',
} as const;
