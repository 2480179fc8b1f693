import { PlusOutlined } from '@ant-design/icons';
import { Button, type ButtonProps } from 'antd';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommand } from '../page/command.ts';
import { passesOnFocus } from '../page/focus.ts';
import { openForms } from '../page/open-form.ts';

interface Opened {
	/** The page to which the form leads back, if it is a page of its own; otherwise it is a drawer beside a page. */
	back?: { href: string; title: string };
	onClose(): void;
}

/** The opening around a component. */
export const OpenedContext = createContext<Opened | undefined>(undefined);

/** Returns the opening around the component, which can close it. @throws Error outside an Opening */
export function useOpened(): Opened {
	const opened = useContext(OpenedContext);
	if (!opened) throw new Error('useOpened is for what is inside an Opening');
	return opened;
}

/** The element that had the focus before the form that closed last. */
let earlier: HTMLElement | null = null;

/**
 * A form or dialog beside the page. It is mounted only while it is open, so each opening starts afresh. When it closes,
 * the focus goes back to where it was, unless something else has it by then. Ant Design does not give it back if a field
 * takes the focus at once.
 */
function Opening({ onClose, children }: { onClose(): void; children: ReactNode }) {
	const [before] = useState(() => document.querySelector<HTMLElement>(':focus'));
	useEffect(() => {
		// The dialog with a form's outcome opens while that form goes, and with it the button that had the focus.
		const target = before?.isConnected === false ? earlier : before;
		return () => {
			const last = target?.isConnected ? target : document.getElementById('main');
			if (!document.querySelector(':focus')) last?.focus({ preventScroll: true });
			earlier = target;
		};
	}, [before]);
	return <OpenedContext value={{ onClose }}>{children}</OpenedContext>;
}

/** A form that is a page of its own. */
export function FormPage({ back, children }: Required<Pick<Opened, 'back'>> & { children: ReactNode }) {
	const [, navigate] = useLocation();
	function onClose() {
		openForms.set([]);
		navigate(back.href, { replace: true });
	}
	return <OpenedContext value={{ back, onClose }}>{children}</OpenedContext>;
}

const OpenAboveContext = createContext<(form: ReactNode) => void>(() => {});

/** Returns the function that opens a form or dialog above any page. */
export const useOpenAbove = () => useContext(OpenAboveContext);

let count = 0;

/** Shows such forms above its children, the last one in front. */
export function OpeningAbove({ children }: { children: ReactNode }) {
	const [openings, setOpenings] = useState<readonly ReactNode[]>([]);
	function open(form: ReactNode) {
		count += 1;
		const close = () => setOpenings((before) => before.filter((each) => each !== opening));
		const opening = (
			<Opening key={count} onClose={close}>
				{form}
			</Opening>
		);
		setOpenings((before) => [...before, opening]);
	}
	return (
		<OpenAboveContext value={open}>
			{children}
			{openings}
		</OpenAboveContext>
	);
}

interface FormButtonProps extends Omit<ButtonProps, 'form'> {
	form: ReactNode;
}

/** A button that opens a form beside the page, as does the search for its text. The open form gets the page's newest data. */
export function FormButton({ form, ...button }: FormButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const opener = useRef<HTMLButtonElement>(null);
	useCommand(button.children, () => setOpen(true));
	// The form can remove its own button, such as the one for closing a store.
	useLayoutEffect(() => passesOnFocus(opener.current), []);
	return (
		<>
			<Button {...button} ref={opener} onClick={() => setOpen(true)} />
			{isOpen && <Opening onClose={() => setOpen(false)}>{form}</Opening>}
		</>
	);
}

/** The main button of a list, which adds to it. */
export function AddButton(button: FormButtonProps) {
	return <FormButton type="primary" icon={<PlusOutlined aria-hidden />} {...button} />;
}
