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
export function useDiscard({ isOpen, isPage = false, isChanged, onClose, question = unsaved }: Form): () => void {
	const { modal } = App.useApp();
	const asked = useRef<{ destroy(): void }>(undefined);
	function leave(then = onClose) {
		if (!isChanged()) return then();
		// The way back from the question is to go on.
		if (asked.current) return asked.current.destroy();
		asked.current = modal.confirm({
			...question,
			okButtonProps: { danger: true },
			autoFocusButton: 'cancel',
			onOk: then,
			afterClose() {
				asked.current = undefined;
			},
		});
	}
	const latest = useEffectEvent(() => ({ isChanged, leave }));
	useEffect(() => {
		if (!isOpen) return;
		const form: OpenForm = { href: location.href, isPage, latest: () => latest() };
		const outer = openForm.get();
		const warn = (event: BeforeUnloadEvent) => latest().isChanged() && event.preventDefault();
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
	/** How it is by now. `leave` closes it, or goes elsewhere, once nothing would be lost. */
	latest(): Pick<Form, 'isChanged'> & { leave(then?: () => void): void };
}

/** The open form. */
export const openForm = createValue<OpenForm | undefined>(undefined);

/** Follows a link, unless that would drop what was typed into a page. */
export function followLink(go: () => void): void {
	const form = openForm.get();
	const goOn = () => {
		openForm.set(undefined);
		go();
	};
	if (form?.isPage) form.latest().leave(goOn);
	else go();
}

// Before the router's listener, which would show the other page and drop the form: this module is loaded before it listens.
window.addEventListener('popstate', () => {
	const form = openForm.get();
	if (!form || (form.isPage && !form.latest().isChanged())) return;
	history.pushState(null, '', form.href);
	// Behind the sign-in nothing is decided.
	if (isSignedIn(session.get())) form.latest().leave();
});

// A list behind the form can still apply what was typed into its search.
for (const change of ['pushState', 'replaceState']) {
	window.addEventListener(change, () => {
		const form = openForm.get();
		if (form) form.href = location.href;
	});
}
