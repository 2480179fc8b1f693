import { App } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isSignedIn, session } from '../api/session.ts';
import { createValue } from '../api/value.ts';

interface Form {
	/** Whether the browser's way back means this form, and not the page. */
	isOpen: boolean;
	/** Whether the form is the page: then its links lead away from it. */
	isPage?: boolean;
	/** Whether something would be lost. */
	isChanged(): boolean;
	onClose(): void;
	question?: Record<'title' | 'okText' | 'cancelText', string> & { content?: string };
}

const unsaved = { title: '放弃未保存的修改？', okText: '放弃', cancelText: '继续编辑' };

/**
 * Returns the function that closes a form; it asks first if changes would be lost. The browser's way back does the same, and
 * reloading or closing the tab asks, too.
 */
export function useDiscard({
	isOpen,
	isPage = false,
	isChanged,
	onClose,
	question: words = unsaved,
}: Form): () => void {
	const { modal } = App.useApp();
	const question = useRef<{ destroy(): void }>(undefined);
	function leave(then = onClose) {
		if (!isChanged()) return then();
		question.current = modal.confirm({
			...words,
			okButtonProps: { danger: true },
			autoFocusButton: 'cancel',
			onOk: then,
			afterClose() {
				question.current = undefined;
			},
		});
	}
	const goBack = useEffectEvent(() => {
		// Behind the sign-in nothing is decided.
		if (!isSignedIn(session.get())) return;
		if (question.current) question.current.destroy();
		else leave();
	});
	const follow = useEffectEvent((go: () => void) =>
		leave(() => {
			openForm.set(undefined);
			go();
		}),
	);
	const wouldLose = useEffectEvent(isChanged);
	const warn = useEffectEvent((event: BeforeUnloadEvent) => {
		if (isChanged()) event.preventDefault();
	});
	useEffect(() => {
		if (!isOpen) return;
		const form = { href: location.href, isPage, wouldLose, goBack, follow };
		const outer = openForm.get();
		openForm.set(form);
		window.addEventListener('beforeunload', warn);
		return () => {
			if (openForm.get() === form) openForm.set(outer);
			window.removeEventListener('beforeunload', warn);
		};
	}, [isOpen, isPage]);
	return () => leave();
}

interface OpenForm extends Required<Pick<Form, 'isPage'>> {
	/** The address that it belongs to. */
	href: string;
	wouldLose(): boolean;
	goBack(): void;
	/** Goes elsewhere, once nothing would be lost. */
	follow(go: () => void): void;
}

/** The open form. */
export const openForm = createValue<OpenForm | undefined>(undefined);

/** Follows a link, unless that would drop what was typed into a page. */
export function followLink(go: () => void): void {
	const form = openForm.get();
	if (form?.isPage) form.follow(go);
	else go();
}

// Before the router's listener, which would show the other page and drop the form: this module is loaded before it listens.
window.addEventListener('popstate', () => {
	const form = openForm.get();
	if (!form || (form.isPage && !form.wouldLose())) return;
	history.pushState(null, '', form.href);
	form.goBack();
});

// A list behind the form can still apply what was typed into its search.
for (const change of ['pushState', 'replaceState']) {
	window.addEventListener(change, () => {
		const form = openForm.get();
		if (form) form.href = location.href;
	});
}
