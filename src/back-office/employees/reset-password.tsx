import { Form } from 'antd';
import { isSelf, useOwn } from '../account/own.ts';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { useSubmit } from '../forms/submit.ts';
import { actions } from './change-actions.tsx';
import { type Chosen, issuePasswords, useAccess } from './employee-queries.ts';
import { PersonSelect } from './person-select.tsx';
import { useShowSlips } from './slips.tsx';

/** Searches an employee and resets their password. */
export function ResetPasswordForm() {
	const own = useOwn();
	const showSlips = useShowSlips();
	const submission = useSubmit(({ person }: Record<'person', Chosen>) => issuePasswords([person.value]), {
		success: '密码已重置',
		onDone: ({ items }) => showSlips(items),
	});
	const manage = useAccess(Form.useWatch('person', submission.form)?.value).data?.manage;
	const refusal = manage?.allowed === false && manage.message;
	return (
		<FormDrawer title="重置密码" submitText="重置密码" submission={submission} isBlocked={refusal !== false} isSmall>
			<Form.Item
				name="person"
				label="员工"
				rules={required('请选择员工')}
				extra={`${actions.reset.effect('')}。`}
				{...(refusal && { help: refusal, validateStatus: 'error' })}
			>
				<PersonSelect obstacleTo={({ id }) => (isSelf(own, id) ? '是您自己' : undefined)} />
			</Form.Item>
		</FormDrawer>
	);
}
