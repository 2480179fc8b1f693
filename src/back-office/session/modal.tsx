import { type ComponentProps, useEffect, useLayoutEffect, useRef } from 'react';

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

/**
 * While on, Escape does nothing anywhere on the page. Preventing the dialog from closing is not enough: the browser allows
 * that only after a click or another key, and what is behind the dialog hears the key too.
 */
function useIgnoredEscape(isOn: boolean): void {
	useEffect(() => {
		if (!isOn) return;
		function ignore(event: KeyboardEvent) {
			if (event.key !== 'Escape' || event.isComposing) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		}
		window.addEventListener('keydown', ignore, { capture: true });
		return () => window.removeEventListener('keydown', ignore, { capture: true });
	}, [isOn]);
}
