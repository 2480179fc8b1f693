import { Button, type ButtonProps } from 'antd';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommand } from '../page/command.ts';
import { openForm } from './discard.ts';

interface Opened {
	isOpen: boolean;
	/** Whether the form is a page of its own; undefined: it lies beside a page. */
	isPage?: boolean;
	onClose(): void;
	/** When it has disappeared. */
	onClosed(): void;
}

const OpenedContext = createContext<Opened | undefined>(undefined);

/** Whether the form around is open, and how it closes. @throws Error outside an Opening */
export function useOpened(): Opened {
	const opened = useContext(OpenedContext);
	if (!opened) throw new Error('useOpened is for what is inside an Opening');
	return opened;
}

/** A form from when it opens until it has disappeared: each time it is a fresh one. */
export function Opening({ isOpen, onClose, children }: Omit<Opened, 'onClosed'> & { children: ReactNode }) {
	const [isThere, setThere] = useState(isOpen);
	if (isOpen && !isThere) setThere(true);
	if (!isThere) return null;
	return <OpenedContext value={{ isOpen, onClose, onClosed: () => setThere(false) }}>{children}</OpenedContext>;
}

/** A form that is a page of its own; `backTo` is where it leads when it is done, or given up. */
export function FormPage({ backTo, children }: { backTo: string; children: ReactNode }) {
	const [, navigate] = useLocation();
	function onClose() {
		openForm.set(undefined);
		navigate(backTo, { replace: true });
	}
	return <OpenedContext value={{ isOpen: true, isPage: true, onClose, onClosed() {} }}>{children}</OpenedContext>;
}

/** Returns the function that opens a form beside the page, and the place where it opens. */
export function useOpening(): [open: (form: ReactNode) => void, opened: ReactNode] {
	const [isOpen, setOpen] = useState(false);
	// It stays until it has disappeared, even if by then something else is offered.
	const [form, setForm] = useState<ReactNode>();
	function open(next: ReactNode) {
		setForm(next);
		setOpen(true);
	}
	const opened = (
		<Opening isOpen={isOpen} onClose={() => setOpen(false)}>
			{form}
		</Opening>
	);
	return [open, opened];
}

const ShowAboveContext = createContext<(dialog: ReactNode) => void>(() => {});

/** Returns the function that shows a dialog above whatever page is there by then; `null` closes it. */
export const useShowAbove = () => useContext(ShowAboveContext);

/** Where such a dialog is shown. */
export function ShowingAbove({ children }: { children: ReactNode }) {
	const [dialog, show] = useState<ReactNode>(null);
	return (
		<ShowAboveContext value={show}>
			{children}
			{dialog}
		</ShowAboveContext>
	);
}

interface FormButtonProps extends Omit<ButtonProps, 'form'> {
	form: ReactNode;
	/** The command of the search that opens it, too. */
	opensFor?: string;
}

/** A button that opens a form beside the page. The open form follows what the page reads. */
export function FormButton({ form, opensFor, ...button }: FormButtonProps) {
	const [isOpen, setOpen] = useState(false);
	useCommand(opensFor, () => setOpen(true));
	return (
		<>
			<Button {...button} onClick={() => setOpen(true)} />
			<Opening isOpen={isOpen} onClose={() => setOpen(false)}>
				{form}
			</Opening>
		</>
	);
}
