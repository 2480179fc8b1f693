import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { employeePage } from './employee-queries.ts';

/** People found by name, pinyin or phone as one types into a select; `props` are for that select. */
export function usePersonSearch() {
	const [text, setText] = useState('');
	const keyword = text.trim();
	const { data, isFetching } = useQuery(employeePage(keyword ? { search: keyword } : {}, { page: 1, pageSize: 20 }));
	return {
		keyword,
		people: data?.items ?? [],
		clear: () => setText(''),
		props: {
			showSearch: { filterOption: false, searchValue: text, onSearch: setText },
			loading: isFetching,
			notFoundContent: isFetching ? '正在搜索…' : '没有符合条件的员工',
		} as const,
	};
}
