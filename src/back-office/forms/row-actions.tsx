import { useQueryClient } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { type ReactNode, useState } from 'react';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import type { Reading } from '../api/things.ts';
import { type Danger, useDanger } from './danger.tsx';
import { Opening } from './opening.tsx';

/** What can be done with the thing of a row. */
export interface RowAction<Thing> {
	verb: string;
	isRed?: boolean;
	/** The form that it opens. */
	form?(thing: Versioned<Thing>): ReactNode;
	/** What it asks before it acts. */
	ask?(thing: Versioned<Thing>): Danger;
}

export interface RowActionsProps<Thing> {
	/** What the row is called. */
	name: string;
	query: Reading<Thing>;
	actions: readonly RowAction<Thing>[];
}

/** Links of a row that act on its thing as it is by then: with its version, and what colleagues changed. */
export function RowActions<Thing>({ name, query, actions }: RowActionsProps<Thing>) {
	const client = useQueryClient();
	const { message } = App.useApp();
	const confirm = useDanger();
	const [form, setForm] = useState<ReactNode>();
	const [isOpen, setOpen] = useState(false);
	async function begin({ form, ask }: RowAction<Thing>) {
		try {
			const present = await client.fetchQuery({ ...query, staleTime: 0 });
			if (ask) return confirm(ask(present));
			setForm(form?.(present));
			setOpen(true);
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
			<Opening isOpen={isOpen} onClose={() => setOpen(false)}>
				{form}
			</Opening>
		</span>
	);
}
