/** What end users are told about signing in. The three login refusals are fixed by the specification, section 7. */
export const authMessages = {
	wrongCredentials: '用户名或密码错误',
	noBackOffice: '当前账号没有后台登录权限',
	busy: '系统繁忙，请稍后再试',
	tooManyAttempts: '尝试次数过多，请稍后再试',
	wrongOldPassword: '原密码错误',
} as const;
