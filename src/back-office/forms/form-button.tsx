import { Button, type ButtonProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { useCommand } from '../page/command.ts';
import { Opening } from './opening.tsx';

interface Props extends Omit<ButtonProps, 'form'> {
	form: ReactNode;
	/** The command of the search that opens it, too. */
	opensFor?: string;
}

/** A button that opens a form beside the page. */
export function FormButton({ form, opensFor, ...button }: Props) {
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
