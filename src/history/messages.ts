/** What end users are told about the history. */
export const historyMessages = {
	notFound: '记录不存在',
} as const;
