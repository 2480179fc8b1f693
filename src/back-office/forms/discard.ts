import { App } from 'antd';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { isSignedIn, session } from '../api/session.ts';
import { command } from '../page/command.ts';
import { isUnsaved, type OpenForm, openForms } from '../page/open-form.ts';
import { useOpened } from './opening.tsx';

interface Form {
	/** Whether it is being saved: it stays until the answer, because the loss is not known before. */
	isPending?: boolean;
	/** Whether something would be lost. Without it, nothing is. */
	isChanged?(): boolean;
	question?: Record<'title' | 'okText' | 'cancelText', string> & { content?: string };
}

const unsaved = { title: '放弃未保存的修改？', okText: '放弃', cancelText: '继续编辑' };

/** The question before a secret disappears that nobody has taken: what is missing, and the way to another one. */
export const lossQuestion = (missing: string, remedy: string) => ({
	title: `${missing}，确定关闭？`,
	content: `关闭后不能再次查看，${remedy}。`,
	okText: '关闭',
	cancelText: '返回',
});

/**
 * Returns the function that closes the opening around a form. If changes would be lost, it asks first. So do a reload,
 * closing the tab, and the browser's back button, which closes the form instead of leaving the page.
 */
export function useDiscard(form: Form = {}): () => void {
	const { isPending = false, isChanged = () => false, question = unsaved } = form;
	const { back, onClose } = useOpened();
	const isPage = back !== undefined;
	const { modal } = App.useApp();
	const asked = useRef<{ destroy(): void }>(undefined);
	function leave(then = onClose) {
		if (isPending) return;
		if (!isChanged()) return then();
		// Going back closes the question, and the form stays.
		if (asked.current) return asked.current.destroy();
		let isConfirmed = false;
		asked.current = modal.confirm({
			...question,
			okButtonProps: { danger: true },
			autoFocusButton: 'cancel',
			onOk() {
				isConfirmed = true;
			},
			// The form goes after the question, which gives the focus back to it.
			afterClose() {
				asked.current = undefined;
				if (isConfirmed) then();
				// The search may have wanted a form on the next page.
				else command.set(undefined);
			},
		});
	}
	const latest = useEffectEvent(() => ({ isChanged, leave }));
	// At once, so that a key pressed as soon as the form is gone finds none open.
	useLayoutEffect(() => {
		// From the first page of a tab, the way back would leave the back office.
		if ('navigation' in window && navigation.currentEntry?.index === 0) history.pushState(null, '', location.href);
		const form: OpenForm = { href: location.href, isPage, latest: () => latest() };
		openForms.set([...openForms.get(), form]);
		return () => openForms.set(openForms.get().filter((each) => each !== form));
	}, [isPage]);
	return () => leave();
}

/** Leaves the page, by a link or by signing out. If changes in a form that is a page would be lost, it asks first. */
export function followLink(go: () => void): void {
	// The search can be in front of it.
	const form = openForms.get().findLast(({ isPage }) => isPage);
	if (form) form.latest().leave(go);
	else go();
}

window.addEventListener('beforeunload', (event) => isUnsaved() && event.preventDefault());

/** The form in front, unless the way back leaves it at once. */
function formInTheWay(): OpenForm | undefined {
	const form = openForms.get().at(-1);
	return form?.isPage && !form.latest().isChanged() ? undefined : form;
}

// This listener must run before the router's, which would drop the form. So this module is loaded first.
window.addEventListener('popstate', () => {
	const form = formInTheWay();
	if (!form) return;
	history.pushState(null, '', form.href);
	// While the sign-in covers the form, the question cannot be answered.
	if (isSignedIn(session.get())) form.latest().leave();
});

// The way back skips the first page of a tab where a form has added the same page again.
if ('navigation' in window) {
	navigation.addEventListener('currententrychange', ({ from }) => {
		const { index, url } = navigation.currentEntry ?? {};
		if (index === 0 && from.index === 1 && from.url === url && !formInTheWay()) history.back();
	});
}

// A list behind the form may still apply its search text to the address.
for (const change of ['pushState', 'replaceState']) {
	window.addEventListener(change, () => {
		const form = openForms.get().at(-1);
		if (form) form.href = location.href;
	});
}
