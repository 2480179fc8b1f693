/** The actions on a resource, as a menu or in a row of a list. */
import { useQueryClient } from '@tanstack/react-query';
import { Button, type ButtonProps, Dropdown } from 'antd';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { Versioned } from '../api/client.ts';
import type { Reading } from '../api/things.ts';
import { passesOnFocus } from '../page/focus.ts';
import { useSteady } from '../page/open-form.ts';
import { Deletion } from './confirm.tsx';
import { useDiscard } from './discard.ts';
import { OpenedContext, useOpenAbove } from './opening.tsx';
import { useShowFailure } from './working.tsx';

interface MenuItem {
	verb: string;
	/** Its effect, in one line. */
	effect?: string;
	isRed?: boolean;
	choose(): void;
}

/** An item of a menu, which opens a form. */
export interface MenuChoice extends Omit<MenuItem, 'choose'> {
	form: ReactNode;
}

interface MenuButtonProps extends ButtonProps {
	items: readonly MenuItem[];
}

/** A button that opens a menu. Opened with a key, the menu has the focus. It does not change while it is open. */
export function MenuButton({ items, ...button }: MenuButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const [isByKey, setByKey] = useState(false);
	const menu = useSteady(items).map(({ verb, effect, isRed = false, choose }) => ({
		key: verb,
		danger: isRed,
		label: (
			<span className="choice">
				<span>{verb}</span>
				{effect && <small>{effect}</small>}
			</span>
		),
		onClick({ domEvent }: { domEvent: Event | SyntheticEvent }) {
			// The rest of the same key press would close the form that the item opens.
			domEvent.preventDefault();
			// The form gives the focus back to the button, because the item is hidden then.
			document.querySelector<HTMLElement>('.ant-dropdown-open')?.focus();
			choose();
		},
	}));
	return (
		<>
			<Dropdown
				trigger={['click']}
				placement="bottomRight"
				menu={{ items: menu }}
				autoFocus={isByKey}
				open={isOpen}
				onOpenChange={setOpen}
			>
				{/* A key counts no clicks. Dropdown opens the menu before onClick returns. */}
				<Button aria-haspopup="menu" {...button} onClickCapture={({ detail }) => setByKey(detail === 0)} />
			</Dropdown>
			{isOpen && (
				<OpenedContext value={{ onClose: () => setOpen(false) }}>
					<WayBack />
				</OpenedContext>
			)}
		</>
	);
}

/** Lets the browser's back button close a menu, which on a phone comes from below like a form. */
function WayBack() {
	useDiscard();
	return null;
}

export interface RowActionsProps<Thing> {
	/** The noun for the resources of the list, the resource of this row, and its name. */
	noun: string;
	row: Thing;
	nameOf(thing: Thing): string;
	query: Reading<Thing>;
	/** The forms that links open, by their verbs. */
	actions?: Readonly<Record<string, (thing: Versioned<Thing>) => ReactNode>>;
	/** Deletes the resource. */
	remove(thing: Versioned<Thing>): Promise<void>;
	/** The effect of deleting it. */
	effectOf(thing: Thing): string;
}

/** The links of a row. They read the resource again first, so they act on its present version. */
export function RowActions<Thing>(props: RowActionsProps<Thing>) {
	const { noun, row, nameOf, query, actions = {}, remove, effectOf } = props;
	const client = useQueryClient();
	const showFailure = useShowFailure();
	const open = useOpenAbove();
	const [begun, setBegun] = useState<string>();
	async function begin(link: HTMLElement, verb: string, form: (thing: Versioned<Thing>) => ReactNode) {
		if (begun) return;
		setBegun(verb);
		try {
			const thing = await client.fetchQuery({ ...query, staleTime: 0 });
			// By then the person can be on another page.
			if (link.isConnected) open(form(thing));
		} catch (error) {
			showFailure(error);
		}
		setBegun(undefined);
	}
	const deletion = (thing: Versioned<Thing>) => (
		<Deletion noun={noun} name={nameOf(thing)} effect={effectOf(thing)} run={() => remove(thing)} />
	);
	return (
		<span ref={passesOnFocus} className="row-actions">
			{Object.entries({ ...actions, 删除: deletion }).map(([verb, form]) => (
				<Button
					key={verb}
					type="link"
					danger={form === deletion}
					aria-label={`${verb} ${nameOf(row)}`}
					loading={verb === begun && { delay: 200 }}
					onClick={({ currentTarget }) => void begin(currentTarget, verb, form)}
				>
					{verb}
				</Button>
			))}
		</span>
	);
}
