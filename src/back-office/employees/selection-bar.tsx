import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { MenuButton } from '../forms/actions.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { WorkButton } from '../forms/working.tsx';
import { passesOnFocus } from '../page/focus.ts';
import { useIsPhone } from '../page/screen.ts';
import { numberOf, people } from '../page/texts.tsx';
import { type Action, actions } from './change-actions.tsx';
import { ChangeForm } from './change-form.tsx';
import type { EmployeeFilter } from './employee-filter.ts';
import { type Choice, employeeIds } from './employee-queries.ts';

type Keys = ReadonlySet<number>;

const none: Keys = new Set();

/** The selected rows of a list. They stay selected on other pages of the list, until its filter changes. */
export function useSelected(list: string) {
	const [state, setState] = useState({ list, keys: none });
	return { keys: state.list === list ? state.keys : none, onChange: (keys: Keys) => setState({ list, keys }) };
}

interface SelectorProps extends ReturnType<typeof useSelected> {
	people: readonly Choice[];
	/** The label of the box. Without it, the box has the names of the people. */
	label: string | undefined;
	/** Whether the rows are those of the filter before, which the selection must not get. */
	isDisabled: boolean;
}

/** A checkbox for one employee, or for all of a page. */
export function Selector({ keys, onChange, people, label, isDisabled }: SelectorProps) {
	const own = new Set(people.map(({ id }) => id));
	const selected = own.intersection(keys).size;
	const isAll = selected > 0 && selected === own.size;
	return (
		<label className="select">
			<input
				type="checkbox"
				aria-label={label ?? `选择 ${people.map(({ name }) => name).join('、')}`}
				disabled={isDisabled}
				checked={isAll}
				ref={(box) => {
					if (box) box.indeterminate = selected > 0 && !isAll;
				}}
				onChange={() => onChange(isAll ? keys.difference(own) : keys.union(own))}
			/>
		</label>
	);
}

interface Props extends ReturnType<typeof useSelected> {
	filter: EmployeeFilter;
	/** The number of rows that pass the filter. */
	total: number;
	/** The role of the list, if all its employees have one. */
	ofRole?: Choice | undefined;
}

/** The actions on the selected employees. */
export function PeopleBar({ ofRole, ...props }: Props) {
	const { keys, onChange } = props;
	const open = useOpenAbove();
	const clear = () => onChange(none);
	const start = (action: Action) =>
		open(
			<ChangeForm
				action={action}
				ids={[...keys]}
				chosen={ofRole && action === actions.remove ? [{ value: ofRole.id, label: ofRole.name }] : undefined}
				onLeaveOut={(rest) => onChange(new Set(rest))}
				onDone={clear}
			/>,
		);
	if (keys.size === 0) return null;
	return (
		<section ref={passesOnFocus} className="line selection-bar" aria-label="已选员工" tabIndex={-1}>
			<span role="status">
				已选 {people(keys.size)} <SelectAll {...props} />
			</span>
			{keys.size <= maxPeopleAtOnce && <Actions onChoose={start} />}
			<Button type="text" icon={<CloseOutlined aria-hidden />} aria-label="取消选择" onClick={clear} />
		</section>
	);
}

/** Selects all found employees, on every page. */
function SelectAll({ keys, onChange, filter, total }: Omit<Props, 'ofRole'>) {
	if (total > maxPeopleAtOnce || keys.size > maxPeopleAtOnce) {
		return (
			<span className="absent">
				共 {people(total)}，一次最多选择 {numberOf(maxPeopleAtOnce)} 名，请先筛选
			</span>
		);
	}
	if (keys.size >= total) return null;
	return (
		<span ref={passesOnFocus}>
			<WorkButton type="link" work={() => employeeIds(filter, total).then(onChange)}>
				选择全部 {numberOf(total)} 名
			</WorkButton>
		</span>
	);
}

function Actions({ onChoose }: { onChoose(action: Action): void }) {
	const isPhone = useIsPhone();
	const offered = Object.values<Action>(actions).map((action) => ({
		verb: action.verb,
		isRed: action.isDangerous === true,
		choose: () => onChoose(action),
	}));
	if (!isPhone)
		return offered.map(({ verb, isRed, choose }) => (
			<Button key={verb} danger={isRed} onClick={choose}>
				{verb}
			</Button>
		));
	return (
		<MenuButton items={offered} type="primary">
			操作
		</MenuButton>
	);
}
