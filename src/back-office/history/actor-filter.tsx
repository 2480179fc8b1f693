import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { actorWords, historyActorTypes } from '../../vocabulary/history.ts';
import { oneEmployee } from '../employees/employee-queries.ts';
import { usePersonSearch } from '../employees/person-search.ts';
import type { Search } from '../page/search.ts';
import { programs } from '../permissions/program-queries.ts';

/** Who acted: one of the people, found by name, pinyin or phone, a program, or a kind of account. */
export function ActorFilter({ search }: { search: Search }) {
	const { keyword, people, clear, props } = usePersonSearch();
	const [type, id] = [search.oneOf('actorType', historyActorTypes), search.get('actorId')];
	const chosen = useQuery({ ...oneEmployee.byId(id ?? ''), enabled: type === 'EMPLOYEE' && id !== undefined });
	const { data: all = [] } = useQuery(programs);
	const ofPrograms = all.map(({ id, name }) => ({ value: `PROGRAM ${id}`, label: `${actorWords.PROGRAM}：${name}` }));
	const isOne = id !== undefined && (type === 'EMPLOYEE' || type === 'PROGRAM');
	const value = isOne ? `${type} ${id}` : type;
	const kinds = historyActorTypes.map((value) => ({
		value,
		label: value === 'EMPLOYEE' ? '任何员工' : actorWords[value],
	}));
	const options: { value: string; label: string }[] = [
		...kinds.filter(({ label }) => label.includes(keyword)),
		...ofPrograms.filter((each) => each.value === value || (keyword !== '' && each.label.includes(keyword))),
		...people.map(({ id, name, storeName }) => ({ value: `EMPLOYEE ${id}`, label: `${name} · ${storeName}` })),
	];
	if (isOne && !options.some((option) => option.value === value)) {
		options.push({ value: `${type} ${id}`, label: chosen.data?.name ?? `编号 ${id}` });
	}
	return (
		<Select
			allowClear
			aria-label="操作人"
			placeholder="操作人"
			className="filter-choice"
			popupMatchSelectWidth={false}
			{...props}
			options={options}
			value={value ?? null}
			onChange={(chosen?: string) => {
				const [actorType, actorId] = chosen?.split(' ') ?? [];
				search.set({ actorType, actorId });
				clear();
			}}
		/>
	);
}
