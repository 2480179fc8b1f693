import { Button, type ButtonProps } from 'antd';
import { type ReactNode, useState } from 'react';

/** Whether a form is open, and how it closes. */
export interface Opened {
	open: boolean;
	onClose(): void;
}

interface Props extends Omit<ButtonProps, 'form'> {
	/** The form that the button opens. */
	form(opened: Opened): ReactNode;
}

/** A button that opens a form beside the page. */
export function FormButton({ form, ...button }: Props) {
	const [open, setOpen] = useState(false);
	return (
		<>
			<Button {...button} onClick={() => setOpen(true)} />
			{form({ open, onClose: () => setOpen(false) })}
		</>
	);
}
