import { Button, Drawer, Form, Modal } from 'antd';
import { type ReactNode, useRef } from 'react';
import { useSheet } from '../page/sheet.ts';
import { changedFields, isEmpty } from './changes.ts';
import { useDiscard } from './discard.ts';
import { useOpened } from './opening.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import type { Submission } from './submit.ts';

interface Props<Values extends object> {
	title: string;
	submission: Submission<Values>;
	initialValues?: Partial<Values>;
	submitText?: string;
	/** Whether there is something to save beside the fields. */
	hasMore?: boolean;
	/** Whether the action cannot be undone. */
	isDangerous?: boolean;
	/** Whether it asks for one or two things only: then it is a dialog in the middle of a wide screen. */
	isSmall?: boolean;
	/** Whether it has so much that it takes the whole screen. */
	isPage?: boolean;
	children: ReactNode;
}

/** A form: at the side of the page, on a phone from below. */
export function FormDrawer<Values extends object>({ title, submission, initialValues = {}, ...rest }: Props<Values>) {
	const { submitText = '保存', hasMore = false, isDangerous = false, isSmall = false, isPage = false, children } = rest;
	const { form } = submission;
	const sheet = useSheet(isPage ? '100%' : 480);
	const { isOpen, onClose, onClosed } = useOpened();
	const isChanged = () =>
		hasMore || !isEmpty(changedFields<object>({ ...initialValues, ...submission.kept }, form.getFieldsValue()));
	const close = useDiscard({ isOpen, isChanged, onClose });
	const cancel = useRef<HTMLButtonElement>(null);
	function focusFirst() {
		const [first] = Object.keys(form.getFieldsValue());
		if (first) form.focusField(first);
		else cancel.current?.focus();
	}
	const frame = {
		title,
		open: isOpen,
		afterOpenChange: (isOpen: boolean) => (isOpen ? focusFirst() : onClosed()),
		footer: (
			<div className="form-buttons">
				<span role="status" className="progress">
					{submission.isPending && `正在${submitText}…`}
				</span>
				<Button ref={cancel} onClick={close}>
					取消
				</Button>
				{submission.sendAndStay && (
					<Button disabled={submission.isPending || submission.isBlocked === true} onClick={submission.sendAndStay}>
						{submitText}并继续新增
					</Button>
				)}
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
		),
		children: (
			<>
				<RefusalAlert refusal={submission.problem} />
				{submission.notice}
				<Form<Values>
					form={form}
					layout="vertical"
					initialValues={initialValues}
					onFinish={(values) => submission.isBlocked || submission.submit(values)}
					scrollToFirstError={{ focus: true }}
				>
					{children}
					{/* Lets Enter send the form: its buttons are in the footer. */}
					<button type="submit" hidden />
				</Form>
			</>
		),
	};
	return isSmall && sheet.placement === 'right' ? (
		<Modal {...frame} onCancel={close} mask={{ closable: false }} width={440} centered />
	) : (
		<Drawer {...frame} {...(isPage && { className: 'form-page' })} onClose={close} {...sheet} maskClosable={false} />
	);
}

/** The rules of a choice that has to be made. */
export const required = (message: string) => [{ required: true, message }];

/** The rules of a text that has to be typed. */
export const typed = (message: string) => [{ required: true, whitespace: true, message }];
