import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { actorWords, historyActorTypes } from '../../vocabulary/history.ts';
import { employeeById } from '../employees/employee-queries.ts';
import { usePersonSearch } from '../employees/person-search.ts';
import type { Search } from '../page/search.ts';

/** Who acted: one of the people, found by name, pinyin or phone, or a kind of account. */
export function ActorFilter({ search }: { search: Search }) {
	const { keyword, people, clear, props } = usePersonSearch();
	const [type, id] = [search.oneOf('actorType', historyActorTypes), search.get('actorId')];
	const isPerson = type === 'EMPLOYEE' && id !== undefined;
	const chosen = useQuery({ ...employeeById(id ?? ''), enabled: isPerson });
	const options = people.map((person) => ({
		value: `EMPLOYEE ${person.id}`,
		label: `${person.name} · ${person.storeName}`,
	}));
	const value = isPerson ? `EMPLOYEE ${id}` : type;
	if (isPerson && !options.some((option) => option.value === value)) {
		options.push({ value: `EMPLOYEE ${id}`, label: chosen.data?.name ?? `编号 ${id}` });
	}
	const kinds = historyActorTypes
		.map((value) => ({ value, label: value === 'EMPLOYEE' ? '任何员工' : actorWords[value] }))
		.filter(({ label }) => label.includes(keyword));
	return (
		<Select
			allowClear
			aria-label="操作人"
			placeholder="操作人"
			className="filter-choice"
			popupMatchSelectWidth={false}
			{...props}
			options={[...kinds, ...options]}
			value={value ?? null}
			onChange={(chosen?: string) => {
				const [actorType, actorId] = chosen?.split(' ') ?? [];
				search.set({ actorType, actorId });
				clear();
			}}
		/>
	);
}
