/** The stores and areas given to an employee besides their own store. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Button, Form } from 'antd';
import type { Employee } from '../../features/employees/model.ts';
import type { Reach } from '../../identity/rights/model.ts';
import { isStoreScoped } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { reachLines } from '../account/reach-lines.ts';
import { answer, api, ifMatch, type Versioned, versioned } from '../api/client.ts';
import { assignableChoices, type Choice, useAccess } from '../employees/employee-queries.ts';
import type { MenuChoice } from '../forms/actions.tsx';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import { passesOnFocus } from '../page/focus.ts';
import { ChoiceSelect } from '../page/name-search.tsx';
import { areas } from '../stores/store-queries.ts';

/** Lists the stores and areas given to an employee, each with its last day. */
export function PersonReach({ employee }: { employee: Employee }) {
	const { reach, hasEffect } = useReach(employee);
	const lines = reach ? reachLines(reach) : [];
	if (lines.length === 0) return null;
	return (
		<>
			<h2>负责的门店</h2>
			<ul className="holders">
				{lines.map((line) => (
					<li key={line}>{line}</li>
				))}
				{hasEffect === false && <li className="absent">该员工的角色用不到负责的门店，以上暂时不起作用</li>}
			</ul>
		</>
	);
}

/** The choice to give stores and areas, if they have an effect or some were given. */
export function useReachChoice(employee: Employee): MenuChoice | undefined {
	const { reach, hasEffect } = useReach(employee);
	if (!reach || !(hasEffect || reach.areas.length + reach.stores.length > 0)) return undefined;
	return {
		verb: '调整负责的门店',
		effect: '除所属门店外，还负责哪些门店和区域',
		form: <ReachForm employee={employee} reach={reach} />,
	};
}

/** An employee's reach, and whether their roles let them see the employees of some stores only; undefined while not known. */
function useReach({ id, roles }: Employee) {
	const { data: reach } = useQuery(reachById(`${id}`));
	const { data: access, isLoading } = useAccess(id);
	// An account that may not see the permissions judges by whether the employee can use the back office.
	const canEnter = access?.doors.some(({ door, allowed }) => door === 'BACK_OFFICE' && allowed) ?? true;
	const hasScope = access?.scope ? access.scope === 'current store' : canEnter;
	return { reach, hasEffect: isLoading ? undefined : roles.length > 0 && hasScope };
}

const labels = { areaIds: '区域', storeIds: '门店' };

/** Gives stores and areas to an employee, or revokes them. */
function ReachForm({ employee, reach }: { employee: Employee; reach: Versioned<GivenReach> }) {
	const givable = useGivable();
	const editing = useEditing<GivenReach, AllGiven>({
		thing: reach,
		valuesOf: allGiven,
		create: () => Promise.resolve(reach),
		byId: reachById,
		async change({ id, version, ...before }, changes) {
			const { areaIds, storeIds } = { ...allGiven(before), ...changes };
			const given = {
				areas: areaIds.map((each) => ({ areaId: each.id, until: each.until })),
				stores: storeIds.map((each) => ({ storeId: each.id, until: each.until })),
			};
			return { ...(await answer(api.employees({ id }).reach.put(given, ifMatch(version)))), id };
		},
		labels,
		show: (_, value) =>
			(value as Given[]).map(({ name, until }) => name + (until ? `（到 ${until} 为止）` : '')).join('、'),
		said: { created: '', saved: '负责的门店已保存' },
	});
	const fieldOf = (field: keyof AllGiven) => (
		<GivenField
			placeholder={`添加${labels[field]}`}
			choices={givable[field]?.filter(({ id }) => field === 'areaIds' || id !== employee.storeId)}
		/>
	);
	return (
		<FormDrawer title={`“${employee.name}”负责的门店`} {...editing}>
			<p>除所属门店“{employee.storeName}”外，还负责：</p>
			<Form.Item name="storeIds" label={labels.storeIds}>
				{fieldOf('storeIds')}
			</Form.Item>
			{givable.areaIds.length + reach.areas.length > 0 && (
				<Form.Item name="areaIds" label={labels.areaIds} extra="区域中的所有门店，包括以后加入的">
					{fieldOf('areaIds')}
				</Form.Item>
			)}
		</FormDrawer>
	);
}

interface FieldProps {
	id?: string | undefined;
	value?: Given[];
	onChange?(value: Given[]): void;
	placeholder: string;
	/** The stores and areas that the account may give; undefined while they are not known. */
	choices: readonly Given[] | undefined;
}

/** Stores or areas, each for good or until a day. */
function GivenField({ id, value = [], onChange, placeholder, choices }: FieldProps) {
	const options = choices?.filter((choice) => !value.some((given) => given.id === choice.id));
	return (
		<>
			<ul className="holders" tabIndex={-1}>
				{value.map((given) => (
					<li key={given.id} ref={passesOnFocus}>
						<span>{given.name} </span>
						<DayField
							aria-label={`“${given.name}”的到期日`}
							prefix="到期日"
							placeholder="长期"
							value={given.until ?? ''}
							min={today()}
							onChange={(day) =>
								onChange?.(value.map((each) => (each === given ? { ...given, until: day || null } : each)))
							}
						/>
						<Button
							aria-label={`移除“${given.name}”`}
							onClick={() => onChange?.(value.filter((each) => each !== given))}
						>
							移除
						</Button>
					</li>
				))}
			</ul>
			<ChoiceSelect
				{...(id && { id })}
				value={null}
				placeholder={placeholder}
				options={options}
				onChange={(chosen: number | null) => {
					const choice = choices?.find((each) => each.id === chosen);
					if (choice) onChange?.([...value, choice]);
				}}
			/>
		</>
	);
}

/** A store or an area given to an employee. */
interface Given extends Choice {
	/** The last day; null: for good. */
	until: string | null;
}

/** The stores and areas given to an employee. The fields have the same names as in the history. */
type AllGiven = Record<'areaIds' | 'storeIds', Given[]>;

/** An employee's granted stores and areas, as the value of a form. */
function allGiven({ areas, stores }: Reach): AllGiven {
	return {
		areaIds: areas.map(({ areaId, areaName, until }) => ({ id: areaId, name: areaName, until })),
		storeIds: stores.map(({ storeId, storeName, until }) => ({ id: storeId, name: storeName, until })),
	};
}

/** An employee's granted stores and areas, and the employee's id. */
type GivenReach = Reach & { id: number };

function reachById(id: string) {
	return queryOptions({
		queryKey: ['employees', id, 'reach'],
		queryFn: async () => ({ ...(await versioned(api.employees({ id }).reach.get())), id: Number(id) }),
	});
}

/** The stores and areas that the account may give, because it has them for good; the stores are undefined while not known. */
function useGivable(): { areaIds: Given[]; storeIds: Given[] | undefined } {
	const own = useOwn();
	const { data } = useQuery(assignableChoices);
	const { data: all = [] } = useQuery({ ...areas, enabled: own.can('store:view') });
	const ending = own.user.reach?.stores.filter(({ until }) => until !== null) ?? [];
	const ownAreas = own.user.reach ? allGiven(own.user.reach).areaIds.filter(({ until }) => until === null) : [];
	const stores = data?.stores.filter(({ id }) => !ending.some(({ storeId }) => storeId === id));
	return {
		areaIds: isStoreScoped(own.permissions) ? ownAreas : all.map((area) => ({ ...area, until: null })),
		storeIds: stores?.map((store) => ({ ...store, until: null })),
	};
}
