import { Checkbox, Form } from 'antd';
import type { Store } from '../../features/stores/model.ts';
import { maxPeopleAtOnce } from '../../platform/vocabulary/limits.ts';
import type { Versioned } from '../api/client.ts';
import { actions } from '../employees/change-actions.tsx';
import { ChangeForm } from '../employees/change-form.tsx';
import { changeEmployees } from '../employees/employee-queries.ts';
import { useNotify } from '../employees/undo-button.tsx';
import { Confirm } from '../forms/confirm.tsx';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { useSubmit } from '../forms/submit.ts';
import { firstOf, people } from '../page/texts.tsx';
import { oneStore, useMovedAway } from './store-queries.ts';

interface Props {
	store: Versioned<Store>;
	/** The number of its employees, and of the enabled ones. */
	employees: number;
	enabled: number;
}

/** Disables a store. */
export function DisableStore({ store, enabled }: Props) {
	return (
		<Confirm
			title={`禁用门店“${store.name}”？`}
			effect={enabled > 0 ? `${people(enabled)}将无法登录，直到门店重新启用。` : '没有员工会受影响，以后可以重新启用。'}
			verb="禁用"
			run={() => oneStore.change(store, { status: 'INACTIVE' })}
			success="门店已禁用"
		/>
	);
}

/** Enables a store, and offers to bring back the employees who were moved when it was closed. */
export function EnableStore({ store, employees }: Props) {
	const notify = useNotify();
	const openAbove = useOpenAbove();
	const { data: movedAway = [], isLoading } = useMovedAway(store);
	async function enable({ bringBack }: { bringBack?: boolean }) {
		await oneStore.change(store, { status: 'ACTIVE' });
		const ids = bringBack ? movedAway.map(({ id }) => id) : [];
		const refused = await move(ids, store.id);
		return { moved: ids.length - refused.length, refused };
	}
	const submission = useSubmit(enable, {
		onDone({ moved, refused }) {
			// It replaces the message of the closing, and its undo button.
			notify(moved > 0 ? `门店已启用，${people(moved)}已调回` : '门店已启用');
			// Its preview shows the reasons of the refusal, and can leave some out.
			const chosen = [{ value: store.id, label: store.name }];
			if (refused.length > 0) openAbove(<ChangeForm action={actions.move} ids={refused} chosen={chosen} />);
		},
	});
	const named = movedAway.map(({ name, storeName }) => `${name}（${storeName}）`);
	return (
		<FormDrawer
			isSmall
			title={`启用门店“${store.name}”`}
			submission={submission}
			isBlocked={isLoading}
			initialValues={{ bringBack: true }}
			submitText="启用"
		>
			{employees > 0 && <p>没有被单独禁用的员工将可以重新登录。</p>}
			{movedAway.length > 0 && (
				<Form.Item name="bringBack" valuePropName="checked" extra={firstOf(named, `等 ${people(named.length)}`)}>
					<Checkbox>调回关闭时调走的 {people(movedAway.length)}</Checkbox>
				</Form.Item>
			)}
		</FormDrawer>
	);
}

/** Moves employees to a store, as many as possible at once: all of a request or none. @returns those who were refused. */
async function move(ids: readonly number[], storeId: number): Promise<number[]> {
	const refused: number[] = [];
	for (let first = 0; first < ids.length; first += maxPeopleAtOnce) {
		const some = ids.slice(first, first + maxPeopleAtOnce);
		await changeEmployees(some, { storeId }).catch(() => refused.push(...some));
	}
	return refused;
}
