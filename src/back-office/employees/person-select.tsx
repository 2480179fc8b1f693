import { useQuery } from '@tanstack/react-query';
import { Select, type SelectProps } from 'antd';
import { useState } from 'react';
import type { Employee } from '../../features/employees/model.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { employeePage } from './employee-queries.ts';

/** Searches employees by name, pinyin or phone while the person types into a select. `props` are for that select. */
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

interface Props extends SelectProps {
	/** Whether an employee can be chosen. */
	isOffered(employee: Employee): boolean;
}

/** A select that searches employees by name, pinyin or phone. */
export function PersonSelect({ isOffered, ...given }: Props) {
	const { people, props, clear } = usePersonSearch();
	const options = people.filter(isOffered).map(({ id, name, phone, storeName }) => ({
		value: id,
		label: `${name} · ${showPhone(phone)} · ${storeName}`,
	}));
	return <Select {...props} placeholder="搜索姓名或手机号" options={options} onSelect={clear} {...given} />;
}
