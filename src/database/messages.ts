/** Messages for end users when the database cannot do its work. */
export const databaseMessages = {
	unreachable: '数据库不可用',
	cannotWrite: '数据暂时无法保存，请稍后再试',
} as const;
