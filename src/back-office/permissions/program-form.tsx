import { useQuery } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import type { CreateProgram } from '../../features/programs/model.ts';
import { addDays } from '../../platform/vocabulary/day.ts';
import {
	isStoreScoped,
	type PermissionCode,
	withDependencies,
	withheldFromPrograms,
} from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { visibleChoices } from '../employees/employee-queries.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, required, typed } from '../forms/form-drawer.tsx';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { titlesOf, useDefinitions } from './permission-queries.ts';
import { PointBoxes } from './points.tsx';
import { canGive, type KeyedProgram, oneProgram } from './program-queries.ts';

interface Props {
	/** The program to edit; a new one without it. */
	program?: Versioned<KeyedProgram>;
	/** Gets a new one with its key. */
	onDone?(program: KeyedProgram): void;
}

const labels = { name: '名称', permissions: '权限', storeId: '门店', endsOn: '有效期至' };

/** Whether a program with these codes and what they bring works for one store. */
const needsStore = (codes: readonly PermissionCode[] = []) => isStoreScoped(new Set(withDependencies(codes)));

/** Creates or edits a program: what it may do, where, and until when. */
export function ProgramForm({ program, onDone }: Props) {
	const known = useDefinitions();
	const { data: { stores } = { stores: [] }, isPending } = useQuery(visibleChoices(useOwn()));
	const editing = useEditing<KeyedProgram, CreateProgram>({
		thing: program,
		// A day less than what can be: it may still be yesterday where the service is.
		draft: { permissions: [], endsOn: addDays(today(), 364) },
		valuesOf: ({ name, permissions, storeId, endsOn }) => ({ name, permissions, storeId, endsOn }),
		stored({ permissions, storeId = null, ...values }) {
			return {
				...values,
				permissions: withDependencies(permissions),
				storeId: needsStore(permissions) ? storeId : null,
			};
		},
		...oneProgram,
		labels,
		show(name, value) {
			if (name === 'storeId') return stores.find(({ id }) => id === value)?.name;
			return Array.isArray(value) ? titlesOf(known, value) : undefined;
		},
		said: { created: '接入程序已新增', saved: '接入程序已保存' },
		onDone,
	});
	const isConfined = needsStore(Form.useWatch('permissions', editing.submission.form));
	return (
		<FormDrawer title={program ? `编辑接入程序：${program.name}` : '新增接入程序'} {...editing}>
			<Form.Item name="name" label={labels.name} rules={typed('请输入名称')}>
				<Input placeholder="例如 工资系统" />
			</Form.Item>
			<Form.Item
				name="endsOn"
				label={labels.endsOn}
				extra="最后一个可用的日子，最远一年后；到期后可以再延长"
				rules={required('请选择日期')}
			>
				<DayField min={today()} max={addDays(today(), 365)} allowClear={false} />
			</Form.Item>
			<Form.Item name="permissions" label={labels.permissions} rules={required('请选择至少一项权限')}>
				<CodesField />
			</Form.Item>
			{isConfined && (
				<Form.Item name="storeId" label={labels.storeId} extra="只能查看这家门店的员工" rules={required('请选择门店')}>
					<ChoiceSelect loading={isPending} options={stores} placeholder="选择门店" />
				</Form.Item>
			)}
		</FormDrawer>
	);
}

interface CodesProps {
	value?: readonly PermissionCode[];
	onChange?(codes: readonly PermissionCode[]): void;
}

/** The codes that a program can hold and the account may give. */
function CodesField({ value = [], onChange }: CodesProps) {
	const own = useOwn();
	const isOffered = (code: PermissionCode) =>
		!withheldFromPrograms.has(code) && withDependencies([code]).every((each) => canGive(own, each));
	return (
		<PointBoxes
			chosen={value}
			resulting={withDependencies(value)}
			toggle={(code, isOn) => onChange?.(isOn ? [...value, code] : value.filter((each) => each !== code))}
			isOffered={isOffered}
		/>
	);
}
