/** The actions for a thing: as a menu, or in a row of a list. */
import { DownOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Dropdown } from 'antd';
import { type ReactNode, useState } from 'react';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import type { Reading } from '../api/things.ts';
import { type Danger, useDanger } from './danger.tsx';
import { Opening } from './opening.tsx';

/** Something that can be done: a form that opens, or what is asked before it happens. */
interface Action {
	verb: string;
	isRed?: boolean;
	form?: ReactNode;
	ask?: Question | undefined;
}

/** Its button has the verb of the action, unless it has one of its own. */
type Question = Omit<Danger, 'verb'> & Partial<Pick<Danger, 'verb'>>;

/** Returns the function that begins an action, and the form that it opened. */
function useActions() {
	const confirm = useDanger();
	const [isOpen, setOpen] = useState(false);
	// It stays while it is open, even if by then something else is offered.
	const [form, setForm] = useState<ReactNode>();
	function begin({ verb, form, ask }: Action) {
		if (ask) return confirm({ verb, ...ask });
		setForm(form);
		setOpen(true);
	}
	const opened = (
		<Opening isOpen={isOpen} onClose={() => setOpen(false)}>
			{form}
		</Opening>
	);
	return { begin, opened };
}

/** Something that a menu offers. */
export interface Choice extends Action {
	/** Its effect, in one line. */
	effect: string;
}

/** A menu of what is done seldom, each with a line that says what it does. */
export function MoreMenu({ choices }: { choices: readonly Choice[] }) {
	const { begin, opened } = useActions();
	const items = choices.map((choice) => ({
		key: choice.verb,
		label: (
			<span className="choice">
				<span>{choice.verb}</span>
				<small>{choice.effect}</small>
			</span>
		),
		danger: choice.isRed === true,
		onClick: () => begin(choice),
	}));
	return (
		<>
			<Dropdown trigger={['click']} placement="bottomRight" menu={{ items }} getPopupContainer={besideButton}>
				<Button aria-haspopup="menu" icon={<DownOutlined aria-hidden />} iconPlacement="end">
					更多操作
				</Button>
			</Dropdown>
			{opened}
		</>
	);
}

/** A menu lies in the landmark of its button, where screen readers find it. */
export const besideButton = (button: HTMLElement): HTMLElement => button.parentElement ?? document.body;

/** The actions for the thing of a row. */
export interface RowAction<Thing> extends Pick<Action, 'verb' | 'isRed'> {
	form?(thing: Versioned<Thing>): ReactNode;
	ask?(thing: Versioned<Thing>): Question;
}

export interface RowActionsProps<Thing> {
	name: string;
	query: Reading<Thing>;
	actions: readonly RowAction<Thing>[];
}

/** Links of a row that act on its thing as it is by then: with its version, and what colleagues changed. */
export function RowActions<Thing>({ name, query, actions }: RowActionsProps<Thing>) {
	const client = useQueryClient();
	const { message } = App.useApp();
	const { begin, opened } = useActions();
	async function read({ verb, form, ask }: RowAction<Thing>) {
		try {
			const present = await client.fetchQuery({ ...query, staleTime: 0 });
			begin({ verb, form: form?.(present), ask: ask?.(present) });
		} catch (error) {
			void message.error(asRefusal(error).message);
		}
	}
	return (
		<span className="row-actions">
			{actions.map((action) => (
				<Button
					key={action.verb}
					type="link"
					danger={action.isRed === true}
					aria-label={`${action.verb} ${name}`}
					onClick={() => void read(action)}
				>
					{action.verb}
				</Button>
			))}
			{opened}
		</span>
	);
}
