import { useQuery } from '@tanstack/react-query';
import { Form, Radio } from 'antd';
import { useLocation } from 'wouter';
import type { Store } from '../../features/stores/model.ts';
import type { Versioned } from '../api/client.ts';
import { AssignableSelect } from '../employees/assignable-select.tsx';
import { assignableChoices } from '../employees/employee-queries.ts';
import { UndoButton, useSayDone } from '../employees/undo-button.tsx';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { people } from '../page/texts.tsx';
import { type CloseStore, closeStore } from './store-queries.ts';

interface Props {
	store: Versioned<Store>;
	/** How many people it has, at least one. */
	employees: number;
}

/** What can become of the store. */
const outcomes = [
	{ value: 'DISABLE', label: '禁用门店，以后可以重新启用' },
	{ value: 'DELETE', label: '删除门店，不能恢复' },
];

/** Closes a store: moves its people, then disables or deletes it. */
export function CloseStoreForm({ store, employees }: Props) {
	const [, navigate] = useLocation();
	const say = useSayDone();
	const { data } = useQuery(assignableChoices);
	const submission = useSubmit(
		(values: CloseStore) => closeStore(store, values),
		() => undefined,
		({ moved, then, groupId }) => {
			const said = `${people(moved)}已调动，门店已${then === 'DELETE' ? '删除' : '禁用'}`;
			say(said, groupId && <UndoButton groupId={groupId} count={moved} />);
			if (then === 'DELETE') navigate('/stores');
		},
	);
	const moveTo = Form.useWatch('moveTo', submission.form);
	const then = Form.useWatch('then', submission.form);
	const target = data?.stores.find(({ id }) => id === moveTo);
	return (
		<FormDrawer
			isSmall
			title={`关闭门店“${store.name}”`}
			submission={submission}
			// biome-ignore lint/suspicious/noThenProperty: the field of the route has this name, and a text is no promise.
			initialValues={{ then: 'DISABLE' }}
			submitText="关闭门店"
			isDangerous
		>
			<Form.Item name="moveTo" label={`将 ${people(employees)}调到`} rules={required('请选择员工要调到的门店')}>
				<AssignableSelect of="stores" except={store.id} />
			</Form.Item>
			<Form.Item name="then" label="关闭后">
				<Radio.Group options={outcomes} />
			</Form.Item>
			{target && (
				<p>
					{people(employees)}将调到“{target.name}”，门店将被{then === 'DELETE' ? '删除，名称可以重新使用' : '禁用'}。
				</p>
			)}
		</FormDrawer>
	);
}
