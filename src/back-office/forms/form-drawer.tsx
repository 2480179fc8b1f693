import { App, Button, Drawer, Form, type FormInstance } from 'antd';
import type { ReactNode } from 'react';
import type { Opened } from './form-button.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import type { Submission } from './submit.ts';

interface Props<Values extends object> extends Opened {
	title: string;
	form: FormInstance<Values>;
	submission: Submission<Values>;
	initialValues: Partial<Values>;
	/** The word on the button. */
	submitText?: string;
	/** Whether it does what cannot be undone. */
	isDangerous?: boolean;
	children: ReactNode;
}

/** A form at the side of the page. */
export function FormDrawer<Values extends object>({ title, open, onClose, form, submission, ...rest }: Props<Values>) {
	const { modal } = App.useApp();
	const { initialValues, submitText = '保存', isDangerous = false, children } = rest;
	function close() {
		if (!form.isFieldsTouched()) return onClose();
		modal.confirm({
			title: '放弃未保存的修改？',
			okText: '放弃',
			cancelText: '继续编辑',
			okButtonProps: { danger: true },
			onOk: onClose,
		});
	}
	return (
		<Drawer
			title={title}
			open={open}
			onClose={close}
			destroyOnHidden
			size={480}
			maskClosable={false}
			footer={
				<div className="form-buttons">
					<span role="status" className="progress">
						{submission.isPending && `正在${submitText}…`}
					</span>
					<Button onClick={close}>取消</Button>
					<Button type="primary" danger={isDangerous} loading={submission.isPending} onClick={() => form.submit()}>
						{submitText}
					</Button>
				</div>
			}
		>
			<RefusalAlert refusal={submission.problem} />
			<Form<Values>
				form={form}
				layout="vertical"
				initialValues={initialValues}
				onFinish={submission.submit}
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
