import { CloseOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button, Dropdown, Grid } from 'antd';
import { useEffect, useState } from 'react';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import { asRefusal } from '../api/refusal.ts';
import { Opening } from '../forms/opening.tsx';
import { numberOf, people } from '../page/texts.tsx';
import { type Action, actions } from './change-actions.tsx';
import { ChangeForm, type Done, ResetPasswords } from './change-form.tsx';
import { type EmployeeFilter, employeeIds } from './employee-queries.ts';
import { UndoButton } from './undo-button.tsx';

const resetting = { verb: '重置密码', isDangerous: false } as const;

/** Deleting stays the last one. */
const offered: readonly Offered[] = [...actions.slice(0, -1), resetting, ...actions.slice(-1)];
type Offered = Action | typeof resetting;

type Keys = ReadonlySet<number | string>;

const none: Keys = new Set();

/** The selected rows of a list. They stay selected on its other pages, until the list is another one. */
export function useSelected(list: string): [selected: Keys, select: (selected: Keys) => void] {
	const [state, setState] = useState({ list, selected: none });
	return [state.list === list ? state.selected : none, (selected) => setState({ list, selected })];
}

interface Props {
	selected: Keys;
	onSelect(selected: Keys): void;
	filter: EmployeeFilter;
	/** How many pass the filter. */
	total: number;
}

/** The actions for the selected people; afterwards the result, with its undo. */
export function SelectionBar({ selected, onSelect, filter, total }: Props) {
	const [action, setAction] = useState<Offered>();
	const [done, setDone] = useState<Done>();
	const isEmpty = selected.size === 0;
	const isShown = !isEmpty || done !== undefined;
	function clear() {
		onSelect(none);
		setDone(undefined);
	}
	useEscape(isShown && !action, clear);
	const change = {
		ids: Array.from(selected, Number),
		onDeselect: (refused: readonly number[]) => onSelect(selected.difference(new Set<number | string>(refused))),
		onDone(next: Done) {
			setAction(undefined);
			onSelect(none);
			setDone(next);
		},
	};
	return (
		<>
			{isShown && (
				<section className="selection-bar" aria-label="已选员工">
					{isEmpty && done ? (
						<>
							<span role="status">{done.text}</span>
							{done.undoable && <UndoButton {...done.undoable} onDone={(text) => setDone({ text })} />}
						</>
					) : (
						<>
							<span role="status">
								已选 {people(selected.size)} <Everybody {...{ selected, onSelect, filter, total }} />
							</span>
							{selected.size <= maxPeopleAtOnce && <Actions onChoose={setAction} />}
						</>
					)}
					<Button
						type="text"
						icon={<CloseOutlined aria-hidden />}
						aria-label={isEmpty ? '关闭' : '取消选择'}
						onClick={clear}
					/>
				</section>
			)}
			{action && (
				<Opening isOpen onClose={() => setAction(undefined)}>
					{'changeOf' in action ? <ChangeForm action={action} {...change} /> : <ResetPasswords {...change} />}
				</Opening>
			)}
		</>
	);
}

/** Clears by Esc, unless it closes something else. */
function useEscape(isOn: boolean, clear: () => void): void {
	useEffect(() => {
		if (!isOn) return;
		function onKey({ key, target, defaultPrevented }: KeyboardEvent) {
			const isElsewhere =
				target instanceof Element && target.closest('[role="dialog"], [role="menu"], input[type="search"]');
			if (key === 'Escape' && !isElsewhere && !defaultPrevented) clear();
		}
		window.addEventListener('keydown', onKey);
		return () => window.removeEventListener('keydown', onKey);
	});
}

/** Selects everybody who was found, on whichever page. */
function Everybody({ selected, onSelect, filter, total }: Props) {
	const { mutate, isPending, error } = useMutation({
		mutationFn: () => employeeIds(filter, total),
		onSuccess: onSelect,
	});
	if (error) return <span className="absent">{asRefusal(error).message}</span>;
	if (total > maxPeopleAtOnce || selected.size > maxPeopleAtOnce) {
		return (
			<span className="absent">
				共 {people(total)}，一次最多选择 {numberOf(maxPeopleAtOnce)} 名，请先筛选
			</span>
		);
	}
	if (selected.size >= total) return null;
	return (
		<Button type="link" loading={isPending} onClick={() => mutate()}>
			选择全部 {total.toLocaleString('zh-CN')} 名
		</Button>
	);
}

function Actions({ onChoose }: { onChoose(action: Offered): void }) {
	const isWide = Grid.useBreakpoint().md ?? true;
	if (isWide) {
		return offered.map((action) => (
			<Button key={action.verb} danger={action.isDangerous === true} onClick={() => onChoose(action)}>
				{action.verb}
			</Button>
		));
	}
	const items = offered.map((action) => ({
		key: action.verb,
		label: action.verb,
		danger: action.isDangerous === true,
		onClick: () => onChoose(action),
	}));
	return (
		<Dropdown trigger={['click']} placement="topRight" menu={{ items }}>
			<Button type="primary" aria-haspopup="menu">
				操作
			</Button>
		</Dropdown>
	);
}
