import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { type ReactNode, useState } from 'react';
import { Opening } from './opening.tsx';

/** Something that a menu offers. */
export interface Choice {
	title: string;
	/** What it does, in one line. */
	effect: string;
	isRed?: boolean;
	/** The form that it opens. */
	form?: ReactNode;
	/** What it does without a form. */
	onChoose?(): void;
}

/** A menu of what is done seldom, each with a line that says what it does. */
export function MoreMenu({ choices }: { choices: readonly Choice[] }) {
	const [isOpen, setOpen] = useState(false);
	// It stays while it is open, even if by then the menu offers something else.
	const [form, setForm] = useState<ReactNode>();
	function choose({ form, onChoose }: Choice) {
		setForm(form);
		setOpen(form !== undefined);
		onChoose?.();
	}
	const items = choices.map((choice) => ({
		key: choice.title,
		label: (
			<span className="choice">
				<span>{choice.title}</span>
				<small>{choice.effect}</small>
			</span>
		),
		danger: choice.isRed === true,
		onClick: () => choose(choice),
	}));
	return (
		<>
			<Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
				<Button aria-haspopup="menu" icon={<DownOutlined aria-hidden />} iconPlacement="end">
					更多操作
				</Button>
			</Dropdown>
			<Opening isOpen={isOpen} onClose={() => setOpen(false)}>
				{form}
			</Opening>
		</>
	);
}
