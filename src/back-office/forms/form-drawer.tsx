import { Button, Drawer, Form, Modal } from 'antd';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { PageHead } from '../page/page-head.tsx';
import { useSheet } from '../page/sheet.ts';
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
	/** The list that it belongs to, if it is a page. */
	back?: { href: string; title: string };
	/** The remark behind the title of a page. */
	tags?: ReactNode;
	children: ReactNode;
}

/** A form: at the side of the page, on a phone from below; or a page of its own. */
export function FormDrawer<Values extends object>({ title, submission, initialValues = {}, ...rest }: Props<Values>) {
	const { submitText = '保存', hasMore = false, isDangerous = false, isSmall = false, back, tags, children } = rest;
	const { form } = submission;
	const sheet = useSheet(480);
	const opened = useOpened();
	const isChanged = () => hasMore || form.isFieldsTouched();
	const close = useDiscard({ ...opened, isChanged });
	const cancel = useRef<HTMLButtonElement>(null);
	function focusFirst() {
		const [first] = Object.keys(form.getFieldsValue());
		if (first) form.focusField(first);
		else if (!opened.isPage) cancel.current?.focus();
	}
	const begin = useEffectEvent(focusFirst);
	useEffect(() => {
		if (opened.isPage) begin();
	}, [opened.isPage]);
	const frame = {
		title,
		open: opened.isOpen,
		afterOpenChange: (isOpen: boolean) => (isOpen ? focusFirst() : opened.onClosed()),
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
	if (back) {
		return (
			<>
				<PageHead back={back} title={title} tags={tags} />
				<section aria-label={title} className="form-page">
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

/** The rules of a choice that has to be made. */
export const required = (message: string) => [{ required: true, message }];

/** The rules of a text that has to be typed. */
export const typed = (message: string) => [{ required: true, whitespace: true, message }];
