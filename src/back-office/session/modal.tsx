import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { useIgnoredEscape } from './escape.ts';

interface Props extends Omit<ComponentProps<'dialog'>, 'onCancel'> {
	/** Without it, only its own buttons close it. */
	onCancel?: (() => void) | undefined;
}

/** A dialog of the browser in front of everything. Afterwards the focus is where it was. */
export function ModalDialog({ onCancel, ...dialog }: Props) {
	const shown = useRef<HTMLDialogElement>(null);
	// Runs before a field takes the focus, because the dialog would focus its first field.
	useLayoutEffect(() => {
		const { current } = shown;
		current?.showModal();
		return () => current?.close();
	}, []);
	useIgnoredEscape(onCancel === undefined);
	return (
		<dialog
			{...dialog}
			ref={shown}
			onCancel={(event) => {
				event.preventDefault();
				onCancel?.();
			}}
			// The way back on a phone, pressed twice, closes it without asking.
			onClose={() => shown.current?.showModal()}
		/>
	);
}
