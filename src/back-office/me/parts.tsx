import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { ModalDialog } from '../session/modal.tsx';

/** One part of the page, with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
	const id = useId();
	return (
		<section className="own-part" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			{children}
		</section>
	);
}

/** A secondary button. */
export function PlainButton(button: ComponentProps<'button'>) {
	return <button type="button" className="plain-button" {...button} />;
}

interface DialogButtonProps {
	verb: string;
	title?: string;
	/** The content of the dialog, which is mounted at each opening. */
	children: ReactNode;
	/** Whether it takes the focus when it appears, from a button or dialog that has gone. */
	isFocused?: boolean;
}

/** A button that opens a dialog, which can be cancelled. */
export function DialogButton({ verb, title = verb, children, isFocused = false }: DialogButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<PlainButton autoFocus={isFocused} onClick={() => setOpen(true)}>
				{verb}
			</PlainButton>
			{isOpen && (
				<Dialog title={title} onCancel={close}>
					{children}
					<PlainButton onClick={close}>取消</PlainButton>
				</Dialog>
			)}
		</>
	);
}

interface DialogProps extends Pick<ComponentProps<typeof ModalDialog>, 'onCancel' | 'children'> {
	title: string;
}

/** A dialog in front of the page. */
export function Dialog({ title, onCancel, children }: DialogProps) {
	const id = useId();
	return (
		<ModalDialog className="own-dialog" aria-labelledby={id} onCancel={onCancel}>
			<h2 id={id}>{title}</h2>
			{children}
		</ModalDialog>
	);
}
