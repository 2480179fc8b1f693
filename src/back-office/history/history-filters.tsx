import { useQuery } from '@tanstack/react-query';
import { Button, Space } from 'antd';
import { actorWords, historyActorTypes } from '../../platform/vocabulary/history.ts';
import { oneEmployee } from '../employees/employee-queries.ts';
import { usePersonSearch } from '../employees/person-search.ts';
import { dayIn, today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import { FilterSelect } from '../page/filters.tsx';
import type { Search } from '../page/search.ts';
import { programs } from '../permissions/program-queries.ts';

/** The actor: a person, found by name, pinyin or phone, a program, or a kind of account. */
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
		<FilterSelect
			label="操作人"
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

interface DayFilterProps {
	search: Search;
	name: string;
	label: string;
	prefix: string;
}

/** A filter for a day. */
export function DayFilter({ search, name, label, prefix }: DayFilterProps) {
	return (
		<DayField
			className="filter-day"
			prefix={prefix}
			suffixIcon={null}
			aria-label={label}
			value={dayIn(search, name)}
			onChange={(day) => search.set({ [name]: day })}
		/>
	);
}

const ranges = [
	{ label: '今天', days: 1 },
	{ label: '近 7 天', days: 7 },
	{ label: '近 30 天', days: 30 },
];

/** The usual periods that end today; pressing the chosen one again ends it. */
export function DayRange({ search }: { search: Search }) {
	return (
		<Space.Compact className="filter-range">
			{ranges.map(({ label, days }) => {
				const from = today(days - 1);
				const isChosen = dayIn(search, 'from') === from && dayIn(search, 'to') === undefined;
				return (
					<Button
						key={label}
						aria-pressed={isChosen}
						type={isChosen ? 'primary' : 'default'}
						ghost={isChosen}
						onClick={() => search.set({ from: isChosen ? undefined : from, to: undefined })}
					>
						{label}
					</Button>
				);
			})}
		</Space.Compact>
	);
}
