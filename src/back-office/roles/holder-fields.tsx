import { useQuery } from '@tanstack/react-query';
import { Button, Form, Select } from 'antd';
import { useState } from 'react';
import type { Employee } from '../../features/employees/model.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { type HolderChange, roleHolders } from '../employees/holders.ts';
import { usePersonSearch } from '../employees/person-search.ts';
import { SmallPagination } from './role-holders.tsx';

type Person = Pick<Employee, 'id' | 'name' | 'storeName'>;

/** The employees who get and lose a role when the form is saved. */
export function useHolderChanges() {
	const [changes, setChanges] = useState<readonly (HolderChange & { employee: Person })[]>([]);
	return {
		changes,
		/** Notes a change; one that is there already is taken back. */
		note(employee: Person, holds: boolean) {
			const others = changes.filter((change) => change.employee.id !== employee.id);
			setChanges(others.length < changes.length ? others : [...changes, { employee, holds }]);
		},
	};
}

interface Props {
	/** Undefined for a new role. */
	roleId: string | undefined;
	holders: ReturnType<typeof useHolderChanges>;
}

/** The people who hold a role, each with a button that takes it, and a search for those who are to hold it. */
export function HolderFields({ roleId, holders: { changes, note } }: Props) {
	const [page, setPage] = useState(1);
	const { data } = useQuery({ ...roleHolders(`${roleId}`, page), enabled: roleId !== undefined });
	const added = changes.filter(({ holds }) => holds).map(({ employee }) => employee);
	const isRemoved = ({ id }: Person) => changes.some(({ employee, holds }) => employee.id === id && !holds);
	return (
		<>
			<Form.Item label="添加员工" htmlFor="added-person">
				<PersonSelect onSelect={(employee) => note(employee, true)} isLeftOut={({ id, roles }) => isThere(id, roles)} />
			</Form.Item>
			<ul className="holders">
				{added.map((employee) => (
					<Line key={employee.id} employee={employee} verb="撤销添加" onPress={() => note(employee, true)} />
				))}
				{data?.items.map((employee) => (
					<Line
						key={employee.id}
						employee={employee}
						isRemoved={isRemoved(employee)}
						verb={isRemoved(employee) ? '撤销移除' : '移除'}
						onPress={() => note(employee, false)}
					/>
				))}
			</ul>
			{data && <SmallPagination of={data.pagination} onChange={setPage} />}
		</>
	);

	/** Whether somebody is in the list. */
	function isThere(id: number, roles: Employee['roles']): boolean {
		return added.some((employee) => employee.id === id) || roles.some((role) => `${role.id}` === roleId);
	}
}

interface LineProps {
	employee: Person;
	isRemoved?: boolean;
	verb: string;
	onPress(): void;
}

function Line({ employee: { name, storeName }, isRemoved = false, verb, onPress }: LineProps) {
	return (
		<li>
			<span>
				{isRemoved ? <s>{name}</s> : name} <small>{storeName}</small>
			</span>
			<Button size="small" aria-label={`${verb}“${name}”`} onClick={onPress}>
				{verb}
			</Button>
		</li>
	);
}

interface SelectProps {
	onSelect(employee: Person): void;
	/** The employees who are not offered. */
	isLeftOut(employee: Employee): boolean;
}

/** Searches for one person after the other. */
function PersonSelect({ onSelect, isLeftOut }: SelectProps) {
	const { people, clear, props } = usePersonSearch();
	const offered = people.filter((employee) => !isLeftOut(employee));
	return (
		<Select
			id="added-person"
			placeholder="搜索姓名或手机号"
			value={null}
			{...props}
			options={offered.map(({ id, name, phone, storeName }) => ({
				value: id,
				label: `${name} · ${showPhone(phone)} · ${storeName}`,
			}))}
			onChange={(id: number | null) => {
				const employee = offered.find((each) => each.id === id);
				if (employee) onSelect(employee);
				clear();
			}}
		/>
	);
}
