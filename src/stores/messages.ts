/** What end users are told about stores. */
export const storeMessages = {
	notFound: '门店不存在',
	nameTaken: '门店名称已存在',
	hasEmployees: '门店下仍有员工，不能删除',
} as const;
