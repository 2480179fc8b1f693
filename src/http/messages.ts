/** What end users are told about requests that no feature has a say in. */
export const httpMessages = {
	invalid: '请求参数无效',
	unknownPath: '请求的地址不存在',
	tooLarge: '请求体不能超过 1 MiB',
	badHost: '请求头 Host 缺失或格式错误',
	unforeseen: '服务器内部错误',
} as const;
