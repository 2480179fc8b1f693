/** The actions for a thing: as a menu, or in a row of a list. */
import { DownOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Dropdown } from 'antd';
import type { ReactNode } from 'react';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import type { Reading } from '../api/things.ts';
import { Confirm, type Question } from './confirm.tsx';
import { useOpening } from './opening.tsx';

/** Something that a menu offers: a form that it opens. */
export interface Choice {
	verb: string;
	/** Its effect, in one line. */
	effect: string;
	isRed?: boolean;
	form: ReactNode;
}

/** A menu of what is done seldom, each with a line that says what it does. */
export function MoreMenu({ choices }: { choices: readonly Choice[] }) {
	const [open, opened] = useOpening();
	const items = choices.map(({ verb, effect, isRed = false, form }) => ({
		key: verb,
		label: (
			<span className="choice">
				<span>{verb}</span>
				<small>{effect}</small>
			</span>
		),
		danger: isRed,
		onClick: () => open(form),
	}));
	return (
		<>
			<Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
				<Button aria-haspopup="menu" icon={<DownOutlined aria-hidden />} iconPlacement="end">
					更多操作
				</Button>
			</Dropdown>
			{opened}
		</>
	);
}

/** The question before an action. Its button has the verb of the action, unless it has one of its own. */
type Asked = Omit<Question<unknown>, 'verb'> & { verb?: string };

/** An action for the thing of a row. */
export interface RowAction<Thing> {
	verb: string;
	isRed?: boolean;
	form?(thing: Versioned<Thing>): ReactNode;
	ask?(thing: Versioned<Thing>): Asked;
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
	const [open, opened] = useOpening();
	async function begin({ verb, form, ask }: RowAction<Thing>) {
		try {
			const present = await client.fetchQuery({ ...query, staleTime: 0 });
			open(ask ? <Confirm verb={verb} {...ask(present)} /> : form?.(present));
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
					onClick={() => void begin(action)}
				>
					{action.verb}
				</Button>
			))}
			{opened}
		</span>
	);
}
