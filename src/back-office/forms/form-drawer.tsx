import { Button, Drawer, Form, Modal } from 'antd';
import { type ComponentProps, type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef } from 'react';
import { passesOnFocus } from '../page/focus.ts';
import { PageHead } from '../page/page-head.tsx';
import { useSheet } from '../page/screen.ts';
import { useDiscard } from './discard.ts';
import { useOpened } from './opening.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import { type Submission, scrolling } from './submit.ts';

interface Props<Values extends object> extends Pick<ComponentProps<typeof RefusalAlert>, 'targetType'> {
	title: string;
	submission: Submission<Values>;
	initialValues?: Partial<Values>;
	/** The content above the fields. */
	notice?: ReactNode;
	/** Whether a decision is needed before the form can be sent. */
	isBlocked?: boolean;
	submitText?: string;
	/** Whether the action cannot be undone. */
	isDangerous?: boolean;
	/** Whether the form has one or two fields only. On a wide screen it is then a dialog in the middle. */
	isSmall?: boolean;
	/** The tags after the title of a page. */
	tags?: ReactNode;
	children: ReactNode;
}

/** A form in a drawer at the side, on a phone from below, or as a page of its own. */
export function FormDrawer<Values extends object>(props: Props<Values>) {
	const { title, submission, isSmall = false, tags } = props;
	const sheet = useSheet(480);
	const { back } = useOpened();
	const isPage = back !== undefined;
	const close = useDiscard({ isPending: submission.isPending, isChanged: () => submission.form.isFieldsTouched() });
	const cancel = useRef<HTMLButtonElement>(null);
	function focusFirst() {
		const [first] = Object.keys(submission.form.getFieldsValue());
		if (first) submission.form.focusField(first);
		else if (!isPage) cancel.current?.focus();
	}
	const begin = useEffectEvent(focusFirst);
	useEffect(() => {
		if (isPage) begin();
	}, [isPage]);
	const frame = {
		title,
		open: true,
		afterOpenChange: focusFirst,
		footer: <FormButtons {...props} cancel={cancel} onCancel={close} />,
		children: <FormBody {...props} />,
	};
	if (back) {
		return (
			<>
				<PageHead back={back} title={title} tags={tags} />
				<section ref={passesOnFocus} aria-label={title} className="form-page">
					{frame.children}
					{frame.footer}
				</section>
			</>
		);
	}
	return isSmall && sheet.placement === 'right' ? (
		<Modal {...frame} onCancel={close} mask={{ closable: false }} width={440} centered />
	) : (
		<Drawer {...frame} onClose={close} {...sheet} maskClosable={false} />
	);
}

function FormBody<Values extends object>(props: Props<Values>) {
	const { submission, targetType, notice, isBlocked, initialValues = {}, children } = props;
	return (
		<>
			<RefusalAlert refusal={submission.problem} targetType={targetType} />
			{notice}
			<Form<Values>
				form={submission.form}
				// Two forms can be open, and the ids of their fields differ.
				name={useId()}
				layout="vertical"
				initialValues={initialValues}
				onFinish={(values) => isBlocked || submission.submit(values)}
				scrollToFirstError={scrolling}
			>
				{children}
				{/* Lets Enter send the form: its buttons are in the footer. */}
				<button type="submit" hidden />
			</Form>
		</>
	);
}

interface ButtonsProps<Values extends object> extends Props<Values> {
	cancel: Ref<HTMLButtonElement>;
	onCancel(): void;
}

function FormButtons<Values extends object>(props: ButtonsProps<Values>) {
	const { submission, submitText = '保存', isDangerous = false, isBlocked = false, cancel, onCancel } = props;
	const { form, isPending } = submission;
	return (
		<div className="line form-buttons">
			<span role="status" className="absent">
				{isPending && `正在${submitText}…`}
			</span>
			<Button ref={cancel} disabled={isPending} onClick={onCancel}>
				取消
			</Button>
			<Button
				type="primary"
				danger={isDangerous}
				loading={isPending}
				disabled={isBlocked}
				onClick={() => form.submit()}
			>
				{submitText}
			</Button>
		</div>
	);
}

/** The rules of a required choice. */
export const required = (message: string) => [{ required: true, message }];

/** The rules of a required text. Blanks are none. Ant Design's message names the label. */
export const typed = [{ required: true, transform: (text = '') => text.trim() }];
