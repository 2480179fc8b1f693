import { useQuery } from '@tanstack/react-query';
import { Select, type SelectProps } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import type { Employee } from '../../features/employees/model.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { asRefusal } from '../api/refusal.ts';
import { type Chosen, employeePage } from './employee-queries.ts';

/**
 * Searches employees by name, pinyin or phone in a select that has been opened. `props` are for that select. For an
 * account that sees no employees it finds none.
 */
export function usePersonSearch() {
	const [text, setText] = useState('');
	const [wasOpened, setOpened] = useState(false);
	const keyword = text.trim();
	const seesPeople = canSeeEmployees(useOwn());
	const found = employeePage(keyword ? { search: keyword } : {}, { page: 1, pageSize: 20 });
	const { data, error, isFetching, isPlaceholderData } = useQuery({ ...found, enabled: seesPeople && wasOpened });
	// Not those of the text before: Enter would choose one of them.
	const people = isPlaceholderData ? [] : (data?.items ?? []);
	const foundNone = error ? asRefusal(error).message : '没有符合条件的员工';
	const notFound = isFetching ? '正在搜索…' : foundNone;
	return {
		wasOpened,
		keyword,
		people,
		clear: () => setText(''),
		props: {
			showSearch: { filterOption: false, searchValue: text, onSearch: setText },
			onOpenChange: (isOpen: boolean) => isOpen && setOpened(true),
			// Nobody is there to choose yet, and Enter would drop the text.
			onInputKeyDown(event: KeyboardEvent) {
				if (event.key !== 'Enter' || !isFetching || people.length > 0) return;
				event.preventDefault();
				event.stopPropagation();
			},
			loading: isFetching,
			notFoundContent: seesPeople ? notFound : '您没有查看员工的权限，不能按姓名查找',
		} as const,
	};
}

interface Props extends Omit<SelectProps<Chosen | Chosen[], Chosen>, 'options'> {
	/** The reason why an employee cannot be chosen; undefined for one who can. */
	obstacleTo(employee: Employee): string | undefined;
}

/**
 * A select that searches employees by name, pinyin or phone. The value has labels, because a later search need not find
 * the chosen people.
 */
export function PersonSelect({ obstacleTo, ...given }: Props) {
	const { people, props, clear } = usePersonSearch();
	const options = people.map((person) => {
		const { id, name, phone, storeName } = person;
		const obstacle = obstacleTo(person);
		const label = [name, showPhone(phone), storeName, obstacle].filter(Boolean).join(' · ');
		return { value: id, label, disabled: obstacle !== undefined };
	});
	return (
		<Select {...props} placeholder="搜索姓名或手机号" options={options} labelInValue onSelect={clear} {...given} />
	);
}
