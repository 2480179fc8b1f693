import { Checkbox, Form } from 'antd';
import { useRef } from 'react';
import type { StoreClosing } from '../../features/employees/store-closure.ts';
import type { Store } from '../../features/stores/model.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import type { Versioned } from '../api/client.ts';
import { changeEmployees } from '../employees/employee-queries.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { people } from '../page/texts.tsx';
import { oneStore } from './store-queries.ts';

/** How many people are named. */
const maxNamed = 10;

interface Props {
	store: Versioned<Store>;
	movedAway: StoreClosing['people'];
}

/** Enables a closed store, and brings back the people moved by the closing. */
export function ReopenStoreForm({ store, movedAway }: Props) {
	// The store stays enabled if its people are refused.
	const isEnabled = useRef(false);
	const submission = useSubmit(
		async ({ bringBack }: { bringBack: boolean }) => {
			if (!isEnabled.current) await oneStore.change(store, { status: 'ACTIVE' });
			isEnabled.current = true;
			const ids = bringBack ? movedAway.map(({ id }) => id) : [];
			for (let first = 0; first < ids.length; first += maxPeopleAtOnce) {
				await changeEmployees(ids.slice(first, first + maxPeopleAtOnce), { storeId: store.id });
			}
			return ids.length;
		},
		(count) => (count > 0 ? `门店已启用，${people(count)}已调回` : '门店已启用'),
	);
	const named = movedAway.slice(0, maxNamed).map(({ name, storeName }) => `${name}（${storeName}）`);
	const more = movedAway.length > maxNamed ? `等 ${people(movedAway.length)}` : '';
	return (
		<FormDrawer
			isSmall
			title={`启用门店“${store.name}”`}
			submission={submission}
			initialValues={{ bringBack: true }}
			submitText="启用"
		>
			<p>
				关闭门店时调走的员工：{named.join('、')}
				{more}。
			</p>
			<Form.Item name="bringBack" valuePropName="checked">
				<Checkbox>把{movedAway.length === 1 ? '该员工' : `这 ${people(movedAway.length)}`}调回来</Checkbox>
			</Form.Item>
		</FormDrawer>
	);
}
