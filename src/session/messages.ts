/** The messages of refusals before a route's own work begins. */
export const sessionMessages = {
	notSignedIn: '未登录或登录已失效',
	accountDisabled: '账号已被禁用',
	storeDisabled: '所属门店已被禁用',
	forbidden: '没有权限执行此操作',
} as const;
