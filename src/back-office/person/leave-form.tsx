import { Form } from 'antd';
import type { Employee } from '../../employees/model.ts';
import type { Versioned } from '../api/client.ts';
import { oneEmployee } from '../employees/employee-queries.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { required } from '../forms/required.ts';
import { useSubmit } from '../forms/submit.ts';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';

interface Values {
	leavesOn: string;
}

/** Says when somebody leaves: their last day. */
export function LeaveForm({ employee }: { employee: Versioned<Employee> }) {
	const submission = useSubmit(
		({ leavesOn }: Values) => oneEmployee.change({ ...employee, version: undefined }, { leavesOn }),
		() => '最后工作日已保存',
	);
	return (
		<FormDrawer
			title={`“${employee.name}”离职`}
			submission={submission}
			initialValues={{ leavesOn: employee.leavesOn ?? today() }}
		>
			<Form.Item name="leavesOn" label="最后工作日" rules={required('请选择日期')}>
				<DayField min={today()} allowClear={false} />
			</Form.Item>
			<p>当天结束后账号自动禁用，资料和操作记录保留，以后可以返岗。要立即禁止登录，请用“禁用”。</p>
		</FormDrawer>
	);
}
