import { useQuery } from '@tanstack/react-query';
import {
	actions,
	actorWords,
	historyActions,
	historyActorTypes,
	movementWords,
} from '../../platform/vocabulary/history.ts';
import { canSeeEmployees, useOwn } from '../account/own.ts';
import { oneEmployee } from '../employees/employee-queries.ts';
import { usePersonSearch } from '../employees/person-select.tsx';
import { todayHere } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import { ChoiceFilter, type FilterOption, FilterSelect, LinkedFilter, labelOptions } from '../page/filters.tsx';
import { useSearch } from '../page/search.ts';
import { programs } from '../permissions/program-queries.ts';

/** The movements of people, which the overview counts, and every action. */
const actionOptions = [
	...labelOptions(movementWords),
	...historyActions.map((action) => ({ id: action, name: actions[action].word })),
];

/** The filters beside the search, and those that only links set. @param name the present name of the only target */
export function HistoryFilters({ name }: { name: string | undefined }) {
	const search = useSearch();
	const [targetId, groupId] = [search.integer('targetId'), search.integer('groupId')];
	const periods = { 今天: todayHere(), '近 7 天': todayHere(6), '近 30 天': todayHere(29) };
	return (
		<>
			<ActorFilter />
			<ChoiceFilter name="action" label="操作" options={actionOptions} />
			{Object.entries({ from: '从开始日期', to: '至结束日期' }).map(([name, label]) => (
				<DayField
					key={name}
					className="filter-day"
					prefix={label[0]}
					suffixIcon={null}
					aria-label={label}
					value={search.day(name)}
					presets={name === 'from' ? periods : {}}
					onChange={(day) => search.set({ [name]: day })}
				/>
			))}
			{targetId && (
				<LinkedFilter names={['targetId', 'targetType']}>{`“${name ?? `编号 ${targetId}`}”的记录`}</LinkedFilter>
			)}
			{groupId && <LinkedFilter names={['groupId']}>同一次操作的记录</LinkedFilter>}
		</>
	);
}

/** The actor: a person, found by name, pinyin or phone, a program, or a kind of account. */
function ActorFilter() {
	const search = useSearch();
	const own = useOwn();
	const { wasOpened, keyword, people, clear, props } = usePersonSearch();
	const [type, id] = [search.oneOf('actorType', historyActorTypes), search.integer('actorId')];
	const [person, program] = [type === 'EMPLOYEE' ? id : undefined, type === 'PROGRAM' ? id : undefined];
	const chosen = useQuery({ ...oneEmployee.byId(`${person}`), enabled: person !== undefined && canSeeEmployees(own) });
	const isAsked = wasOpened || program !== undefined;
	const { data: all = [] } = useQuery({ ...programs, enabled: isAsked && own.can('permission:view') });
	const ofPrograms = all.map(({ id, name }) => ({ id: `PROGRAM ${id}`, name: `${actorWords.PROGRAM}：${name}` }));
	const one = (person ?? program) === undefined ? undefined : `${type} ${id}`;
	const kinds = historyActorTypes.map((id) => ({ id, name: id === 'EMPLOYEE' ? '任何员工' : actorWords[id] }));
	const options: FilterOption[] = [
		...kinds.filter(({ name }) => name.includes(keyword)),
		...ofPrograms.filter((each) => each.id === one || (keyword !== '' && each.name.includes(keyword))),
		...people.map(({ id, name, storeName }) => ({ id: `EMPLOYEE ${id}`, name: `${name} · ${storeName}` })),
	];
	if (one && !options.some((option) => option.id === one)) {
		options.push({ id: one, name: chosen.data?.name ?? `编号 ${id}` });
	}
	return (
		<FilterSelect
			label="操作人"
			popupMatchSelectWidth={false}
			{...props}
			options={options}
			value={one ?? type ?? null}
			onChange={(chosen = '') => {
				const [actorType, actorId] = `${chosen}`.split(' ');
				search.set({ actorType, actorId });
				clear();
			}}
		/>
	);
}
