import { Form } from 'antd';
import type { Store } from '../../features/stores/model.ts';
import type { Versioned } from '../api/client.ts';
import { AssignableSelect } from '../employees/assignable-select.tsx';
import type { Chosen } from '../employees/employee-queries.ts';
import { UndoButton, useNotify } from '../employees/undo-button.tsx';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { people } from '../page/texts.tsx';
import { closeStore } from './store-queries.ts';

interface Props {
	store: Versioned<Store>;
	/** The number of its employees; none if a colleague was quicker. */
	employees: number;
}

/** Closes a store: moves its employees, then disables it. An empty store can be deleted on its page. */
export function CloseStoreForm({ store, employees }: Props) {
	const notify = useNotify();
	const submission = useSubmit(({ moveTo }: Record<'moveTo', Chosen>) => closeStore(store, moveTo.value), {
		onDone: ({ moved, groupId }) =>
			notify(`${people(moved)}已调动，门店已禁用`, groupId && <UndoButton groupId={groupId} count={moved} isClosing />),
	});
	const target = Form.useWatch('moveTo', submission.form);
	return (
		<FormDrawer
			isSmall
			title={`关闭门店“${store.name}”`}
			submission={submission}
			isBlocked={employees === 0}
			submitText="关闭门店"
			isDangerous
		>
			<Form.Item name="moveTo" label={`将 ${people(employees)}调到`} rules={required('请选择员工要调到的门店')}>
				<AssignableSelect of="stores" except={store.id} labelInValue />
			</Form.Item>
			{target && (
				<p>
					{people(employees)}将调到“{target.label}”，门店将{store.status === 'ACTIVE' ? '被禁用' : '保持禁用'}
					，以后可以重新启用。
				</p>
			)}
		</FormDrawer>
	);
}
