import { Button, Drawer, Form, Modal } from 'antd';
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
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
	const { title, submission, targetType, notice, initialValues = {}, submitText = '保存', tags, children } = props;
	const { isBlocked = false, isDangerous = false, isSmall = false } = props;
	const { form, isPending } = submission;
	const sheet = useSheet(480);
	const { back } = useOpened();
	const isPage = back !== undefined;
	const close = useDiscard({ isPending, isChanged: () => form.isFieldsTouched() });
	const cancel = useRef<HTMLButtonElement>(null);
	const send = useRef<HTMLButtonElement>(null);
	function focusFirst() {
		const [first] = Object.keys(form.getFieldsValue());
		if (first) form.focusField(first);
		else if (!isPage) cancel.current?.focus();
	}
	const begin = useEffectEvent(focusFirst);
	useEffect(() => {
		if (isPage) begin();
	}, [isPage]);
	// A button that becomes disabled loses the focus, and the form would no longer hear Escape.
	useLayoutEffect(() => {
		if (isBlocked) passesOnFocus(send.current)();
	}, [isBlocked]);
	const content = (
		<>
			<RefusalAlert refusal={submission.problem} targetType={targetType} />
			{notice}
			<Form<Values>
				form={form}
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
	const footer = (
		<div className="line form-buttons">
			<span role="status" className="absent">
				{isPending && `正在${submitText}…`}
			</span>
			<Button ref={cancel} disabled={isPending} onClick={close}>
				取消
			</Button>
			<Button
				ref={send}
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
	if (back) {
		return (
			<>
				<PageHead back={back} title={title} tags={tags} />
				<section ref={passesOnFocus} aria-label={title} className="form-page">
					{content}
					{footer}
				</section>
			</>
		);
	}
	const frame = { title, open: true, afterOpenChange: focusFirst, footer, children: content };
	return isSmall && sheet.placement === 'right' ? (
		<Modal {...frame} onCancel={close} mask={{ closable: false }} width={440} centered />
	) : (
		<Drawer {...frame} onClose={close} {...sheet} maskClosable={false} />
	);
}

/** The rules of a required choice. */
export const required = (message: string) => [{ required: true, message }];

/** The rules of a required text. Blanks are none. Ant Design's message names the label. */
export const typed = [{ required: true, transform: (text = '') => text.trim() }];
