import { useQuery } from '@tanstack/react-query';
import { Button, Form } from 'antd';
import { useLocation } from 'wouter';
import type { CreateEmployee, Employee } from '../../features/employees/model.ts';
import { answer, api, given } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { useSubmit } from '../forms/submit.ts';
import { passesOnFocus } from '../page/focus.ts';
import { AssignableSelect } from './assignable-select.tsx';
import { assignableChoices, lacksPassword } from './employee-queries.ts';
import { formerlyAt, HolderAlert, peopleOfNumber } from './known-number.tsx';
import { useFirstPassword } from './slips.tsx';

/** The link that opens the form for a deleted employee. The form stays if a colleague was quicker, and the link is gone. */
export function RestoreButton({ employee }: { employee: Employee }) {
	const openAbove = useOpenAbove();
	return (
		<span ref={passesOnFocus} className="row-actions">
			<Button type="link" onClick={() => openAbove(<RestoreForm employee={employee} />)}>
				返岗
			</Button>
		</span>
	);
}

/** The store and roles of a restored employee. An absent field keeps its former value. */
type ComingBack = Partial<Pick<CreateEmployee, 'storeId' | 'roleIds'>>;

/** Restores a deleted employee, with their former or another store and roles. */
export function RestoreForm({ employee, wanted = {} }: { employee: Employee; wanted?: ComingBack }) {
	const [, navigate] = useLocation();
	const { data } = useQuery(assignableChoices);
	const number = useQuery(peopleOfNumber(employee.phone));
	const givePassword = useFirstPassword();
	const { id, name, storeId, storeName } = employee;
	const isStoreGone = data?.stores.every((store) => store.id !== storeId) === true;
	function restore({ storeId, roleIds = [] }: ComingBack) {
		const query = given({ storeId, roleIds: roleIds.join() || undefined });
		return answer(api.employees({ id }).restore.post(undefined, { query })).catch(unlessBack);
	}
	const submission = useSubmit(restore, {
		success: (restored) => (restored ? `“${name}”已返岗` : `“${name}”之前已返岗，请核对门店和角色`),
		onDone(restored) {
			if (restored) void lacksPassword(id).then((lacks) => lacks && givePassword(id, `“${name}”已返岗`));
			navigate(`/employees/${id}`);
		},
	});
	const holder = number.data?.holder;
	return (
		<FormDrawer
			isSmall
			title={`“${name}”返岗`}
			submission={submission}
			// If the number cannot be looked up, the service refuses a taken one.
			isBlocked={number.isPending || holder !== undefined}
			initialValues={wanted}
			submitText="返岗"
		>
			{holder && <HolderAlert holder={holder} />}
			<p>{formerlyAt(employee)}。账号将重新启用，姓名、备注、工号和操作记录一并恢复；设置过的密码仍然有效。</p>
			<Form.Item
				name="storeId"
				label="门店"
				rules={isStoreGone ? required('请选择门店') : []}
				extra={isStoreGone ? `原门店“${storeName}”已删除或已禁用` : '不选则回到原来的门店'}
			>
				<AssignableSelect of="stores" placeholder={isStoreGone ? undefined : storeName} />
			</Form.Item>
			<Form.Item name="roleIds" label="角色" extra="不选则恢复原来的角色">
				<AssignableSelect of="roles" mode="multiple" placeholder="原来的角色" />
			</Form.Item>
		</FormDrawer>
	);
}

/** Ignores a refusal if the employee is back already: an earlier answer was lost, or a colleague was first. */
function unlessBack(error: unknown): undefined {
	if (!asRefusal(error).has('not_deleted')) throw error;
}
