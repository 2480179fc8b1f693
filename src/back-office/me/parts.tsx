import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';

interface PartProps {
	title: string;
	children: ReactNode;
}

/** One part of the page, with its heading. */
export function Part({ title, children }: PartProps) {
	const id = useId();
	return (
		<section className="own-part" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			{children}
		</section>
	);
}

/** A button beside the main one. */
export function PlainButton(button: ComponentProps<'button'>) {
	return <button type="button" className="plain-button" {...button} />;
}

interface DialogProps {
	title: string;
	onClose(): void;
	children: ReactNode;
}

/** A form in front of the page, which can be left. */
export function FormDialog({ children, ...dialog }: DialogProps) {
	return (
		<Dialog {...dialog}>
			{children}
			<PlainButton onClick={dialog.onClose}>取消</PlainButton>
		</Dialog>
	);
}

/** Something in front of the page. */
export function Dialog({ title, onClose, children }: DialogProps) {
	const id = useId();
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog
			ref={dialog}
			className="own-dialog"
			aria-labelledby={id}
			onCancel={(event) => {
				event.preventDefault();
				onClose();
			}}
		>
			<h2 id={id}>{title}</h2>
			{children}
		</dialog>
	);
}
