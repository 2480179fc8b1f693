/** The actions for a thing: as a menu, or in a row of a list. */
import { DownOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Dropdown } from 'antd';
import type { ReactNode } from 'react';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import type { Reading } from '../api/things.ts';
import { Confirm } from './confirm.tsx';
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

/** An action for the thing of a row: a form that it opens. */
export interface RowAction<Thing> {
	verb: string;
	form(thing: Versioned<Thing>): ReactNode;
}

export interface RowActionsProps<Thing> {
	/** What the things of the list are, and the name of this one. */
	noun: string;
	name: string;
	query: Reading<Thing>;
	actions?: readonly RowAction<Thing>[];
	/** Deletes the thing; without it, the thing stays. */
	remove?: ((thing: Versioned<Thing>) => Promise<void>) | undefined;
	/** Its name by then, and what deleting it does. */
	removal(thing: Thing): { name: string; effect: string };
}

/** Links of a row that act on its thing as it is by then: with its version, and what colleagues changed. */
export function RowActions<Thing>({ noun, name, query, actions = [], remove, removal }: RowActionsProps<Thing>) {
	const client = useQueryClient();
	const { message } = App.useApp();
	const [open, opened] = useOpening();
	async function begin({ form }: RowAction<Thing>) {
		try {
			open(form(await client.fetchQuery({ ...query, staleTime: 0 })));
		} catch (error) {
			void message.error(asRefusal(error).message);
		}
	}
	const deletion: RowAction<Thing> = {
		verb: '删除',
		form: (thing) => (
			<Confirm
				title={`删除${noun}“${removal(thing).name}”？`}
				effect={removal(thing).effect}
				verb="删除"
				run={async () => remove?.(thing)}
				success={`${noun}已删除`}
			/>
		),
	};
	return (
		<span className="row-actions">
			{[...actions, ...(remove ? [deletion] : [])].map((action) => (
				<Button
					key={action.verb}
					type="link"
					danger={action === deletion}
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
