import { Button, Drawer, Form, type FormInstance } from 'antd';
import type { ReactNode } from 'react';
import { changedFields, isEmpty } from './changes.ts';
import { useDiscard } from './discard.ts';
import type { Opened } from './form-button.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import type { Submission } from './submit.ts';

interface Props<Values extends object> extends Opened {
	title: string;
	form: FormInstance<Values>;
	submission: Submission<Values>;
	initialValues: Partial<Values>;
	/** The text of the button. */
	submitText?: string;
	/** Whether there is something to save beside the fields. */
	hasMore?: boolean;
	/** Whether the action cannot be undone. */
	isDangerous?: boolean;
	children: ReactNode;
}

/** A form at the side of the page. */
export function FormDrawer<Values extends object>({ title, open, onClose, form, submission, ...rest }: Props<Values>) {
	const { initialValues, submitText = '保存', hasMore = false, isDangerous = false, children } = rest;
	const isChanged = () => open && (hasMore || !isEmpty(changedFields<object>(initialValues, form.getFieldsValue())));
	const close = useDiscard({ isOpen: open, isChanged, onClose });
	function focusFirstField() {
		const [first] = Object.keys(form.getFieldsValue());
		if (first) form.focusField(first);
	}
	return (
		<Drawer
			title={title}
			open={open}
			onClose={close}
			afterOpenChange={(isOpen) => isOpen && focusFirstField()}
			destroyOnHidden
			size={480}
			maskClosable={false}
			footer={
				<div className="form-buttons">
					<span role="status" className="progress">
						{submission.isPending && `正在${submitText}…`}
					</span>
					<Button onClick={close}>取消</Button>
					<Button
						type="primary"
						danger={isDangerous}
						loading={submission.isPending}
						disabled={submission.isBlocked === true}
						onClick={() => form.submit()}
					>
						{submitText}
					</Button>
				</div>
			}
		>
			<RefusalAlert refusal={submission.problem} />
			{submission.notice}
			<Form<Values>
				form={form}
				layout="vertical"
				initialValues={initialValues}
				onFinish={(values) => submission.isBlocked || submission.submit(values)}
				scrollToFirstError={{ focus: true }}
				preserve={false}
			>
				{children}
				{/* Lets Enter send the form: its buttons are in the footer. */}
				<button type="submit" hidden />
			</Form>
		</Drawer>
	);
}
