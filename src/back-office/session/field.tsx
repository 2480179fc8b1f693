import type { ComponentProps, ReactNode } from 'react';

interface Props extends ComponentProps<'input'> {
	name: string;
	label: string;
	/** The error of the field. */
	error?: string | undefined;
	/** The content beside the label. */
	children?: ReactNode;
}

/** A field of a form that does not use Ant Design. */
export function Field({ name, label, error, children, ...input }: Props) {
	const [id, errorId] = [`field-${name}`, `field-${name}-error`];
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			<input
				id={id}
				name={name}
				required
				aria-invalid={error !== undefined}
				aria-describedby={error && errorId}
				{...input}
			/>
			{children}
			{error && <span id={errorId}>{error}</span>}
		</div>
	);
}

interface ShowProps {
	isShown: boolean;
	onChange(isShown: boolean): void;
}

/** Shows or hides the passwords of a form. */
export function ShowPassword({ isShown, onChange }: ShowProps) {
	return (
		<button type="button" className="field-show" onClick={() => onChange(!isShown)}>
			{isShown ? '隐藏密码' : '显示密码'}
		</button>
	);
}
