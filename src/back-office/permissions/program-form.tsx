import { useQuery } from '@tanstack/react-query';
import { Checkbox, Form, Input, Select } from 'antd';
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
import { type Choice, visibleChoices } from '../employees/employee-queries.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, required, typed } from '../forms/form-drawer.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { titlesOf, useDefinitions } from './permission-queries.ts';
import { PointBoxes } from './points.tsx';
import { canGive, clientIdOf, type KeyedProgram, oneProgram } from './program-queries.ts';
import { SecretDialog } from './secret-dialog.tsx';

const labels = {
	name: '名称',
	permissions: '密钥的权限',
	storeId: '门店',
	endsOn: '到期日',
	redirectUris: '登录后返回的地址',
	signOutUris: '退出后返回的地址',
	isPublic: '不能保密（网页或手机应用）',
	signInPermission: '谁可以登录',
};

/** Whether a program with these codes and their dependencies works for one store only. */
const needsStore = (codes: readonly PermissionCode[]) => isStoreScoped(new Set(withDependencies(codes)));

/** Returns the function that shows the new secrets of a program, if it got any. */
export function useShowKeys(): (program: KeyedProgram) => void {
	const openAbove = useOpenAbove();
	return ({ id, name, key, clientSecret }) => {
		const secret = [key, clientSecret].filter(Boolean).join('\n');
		const ofSignIn = clientSecret && `登录时 client_id 填 ${clientIdOf({ id })}，client_secret 填 secret_ 开头的密钥。`;
		const advice = `保存到该程序的设置中。谁有密钥，谁就有该程序的权限。${ofSignIn ?? ''}`;
		const dialog = { title: `“${name}”的密钥`, noun: '密钥', secret, advice, remedy: '只能生成新密钥' } as const;
		if (secret) openAbove(<SecretDialog {...dialog} />);
	};
}

interface Props {
	/** The program to edit; absent for a new one. */
	program?: Versioned<KeyedProgram>;
}

function useProgramEditing(program: Props['program'], stores: readonly Choice[] | undefined) {
	const showKeys = useShowKeys();
	const known = useDefinitions();
	return useEditing<KeyedProgram, CreateProgram>({
		thing: program,
		draft: { permissions: [], redirectUris: [], signOutUris: [], isPublic: false },
		valuesOf({ id, version, storeName, lastUsedAt, createdAt, updatedAt, ...values }: Versioned<KeyedProgram>) {
			return values;
		},
		stored({ permissions, storeId = null, endsOn = null, signInPermission = null, ...values }) {
			return {
				...values,
				endsOn,
				signInPermission,
				permissions: withDependencies(permissions),
				storeId: needsStore(permissions) ? storeId : null,
			};
		},
		...oneProgram,
		labels,
		show(name, value) {
			if (name === 'storeId') return stores?.find(({ id }) => id === value)?.name;
			if (name === 'signInPermission' && value) return titlesOf(known, [`${value}`]);
			if (name === 'isPublic') return value ? '是' : '否';
			if (!Array.isArray(value)) return undefined;
			return name === 'permissions' ? titlesOf(known, value) : value.join('、');
		},
		said: { created: '接入程序已新增', saved: '接入程序已保存' },
		onDone: showKeys,
	});
}

/** Creates or edits a program: its permissions, its store and its last day. */
export function ProgramForm({ program }: Props) {
	const own = useOwn();
	const { data, isPending } = useQuery(visibleChoices(own));
	const stores = withStoreOf(program, data?.stores);
	const editing = useProgramEditing(program, stores);
	const { form } = editing.submission;
	const addresses = Form.useWatch('redirectUris', form) ?? [];
	const codes = Form.useWatch('permissions', form) ?? [];
	// The codes that a program can hold and the account may give.
	const isOffered = (code: PermissionCode) =>
		!withheldFromPrograms.has(code) && withDependencies([code]).every((each) => canGive(own, each));
	/** Proposes a last day for a new program with a key. One that only signs people in needs none. */
	function proposeEnd(chosen: readonly PermissionCode[]) {
		if (program || form.isFieldTouched('endsOn')) return;
		// One day less than the maximum, because the clock here may be ahead of that of the service.
		// `setFieldValue` would count as the person's own choice.
		form.setFields([{ name: 'endsOn', value: chosen.length > 0 ? addDays(today(), 364) : null, errors: [] }]);
	}
	return (
		<FormDrawer title={program ? `编辑接入程序：${program.name}` : '新增接入程序'} {...editing}>
			<Form.Item name="name" label={labels.name} rules={typed}>
				<Input placeholder="例如 工资系统" />
			</Form.Item>
			<Form.Item
				name="endsOn"
				label={labels.endsOn}
				extra="该程序用到这一天为止，最长一年，到期后可以延长。只用于登录的程序可以不填"
				rules={codes.length > 0 ? required('请选择日期') : []}
			>
				<DayField min={today()} max={addDays(today(), 365)} />
			</Form.Item>
			<Form.Item
				name="permissions"
				label={labels.permissions}
				extra="只用于登录的程序不用选择"
				dependencies={['redirectUris']}
				required={false}
				rules={[
					// Asked of the form, which has the addresses before they are drawn.
					({ getFieldValue }) => ({ required: !getFieldValue('redirectUris')?.length, message: '请选择至少一项权限' }),
				]}
			>
				<PointBoxes isOffered={isOffered} onChange={proposeEnd} />
			</Form.Item>
			{needsStore(codes) && (
				<Form.Item name="storeId" label={labels.storeId} extra="只能查看这家门店的员工" rules={required('请选择门店')}>
					<ChoiceSelect loading={isPending} options={stores} placeholder="选择门店" />
				</Form.Item>
			)}
			<Form.Item name="redirectUris" label={labels.redirectUris} extra="填写后，员工可以用自己的账号登录该程序">
				{addressField}
			</Form.Item>
			{addresses.length > 0 && <SignInFields />}
		</FormDrawer>
	);
}

/** The stores to choose from, with the present one of a program, which may have been deleted since. */
function withStoreOf({ storeId = null, storeName }: Partial<KeyedProgram> = {}, stores: readonly Choice[] | undefined) {
	if (storeId === null || stores?.some(({ id }) => id === storeId)) return stores;
	return [...(stores ?? []), { id: storeId, name: storeName ?? '' }];
}

/** The fields of a program that signs people in: the addresses after signing out, the permission, and the kind of client. */
function SignInFields() {
	const permissions = useDefinitions().permissions.map(({ code, title }) => ({
		value: code,
		label: `有“${title}”权限的人`,
	}));
	return (
		<>
			<Form.Item name="signOutUris" label={labels.signOutUris}>
				{addressField}
			</Form.Item>
			<Form.Item name="signInPermission" label={labels.signInPermission}>
				<Select allowClear placeholder="所有人" showSearch={{ optionFilterProp: 'label' }} options={permissions} />
			</Form.Item>
			<Form.Item name="isPublic" valuePropName="checked">
				<Checkbox>{labels.isPublic}</Checkbox>
			</Form.Item>
		</>
	);
}

/** A field for addresses, each ended with a space or Enter. */
const addressField = (
	<Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[' ', ',']} placeholder="https://…" />
);
