import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../api/client.ts';
import { asRefusal, changeOf, type Refusal } from '../api/refusal.ts';
import type { Reading } from '../api/things.ts';
import { type Clash, Clashes, type Side } from './clashes.tsx';
import { useSubmit } from './submit.ts';

interface Task<Thing extends { id: number }, Values extends object> {
	/** The resource to edit; undefined for a new one. */
	thing: Versioned<Thing> | undefined;
	/** The initial values of a new one. */
	draft?: Partial<Values>;
	valuesOf(thing: Thing): Values;
	/** Converts typed values to their stored form. Without it, they are stored as typed. */
	stored?(typed: Values): Values;
	create(values: Values): Promise<Thing>;
	/** The query of the present resource. */
	byId(id: string): Reading<Thing>;
	/** Sends the changed fields. Refused with 412 if the resource has another version now. */
	change(thing: Versioned<Thing>, changes: Partial<Values>): Promise<Thing>;
	labels: Readonly<Record<keyof Values & string, string>>;
	/** The readable form of a value. Without it, values are shown unchanged. */
	show?(name: string, value: unknown): string | undefined;
	said: { created: string; saved: string };
	onDone?: ((thing: Thing) => void) | undefined;
}

interface Saved<Thing> {
	thing: Thing;
	message: string;
}

/**
 * Creates or changes a resource that others may change at the same time, in a FormDrawer. Only changed fields are sent, so
 * a colleague's changes to other fields survive. If both changed the same field, the person decides.
 */
export function useEditing<Thing extends { id: number }, Values extends object>(task: Task<Thing, Values>) {
	const { valuesOf, labels, said } = task;
	const client = useQueryClient();
	// The form does not change when the page behind it reads the resource again.
	const [base, setBase] = useState(task.thing);
	const [clashes, setClashes] = useState<readonly Clash[]>([]);

	async function send(typed: Values) {
		const values = task.stored?.(typed) ?? typed;
		if (!base) return { thing: await task.create(values), message: said.created };
		return save(base, changedFields(valuesOf(base), values));
	}

	/**
	 * Sends the changed fields. If a colleague saved first, it tries again with the new version, unless both changed the
	 * same field. `others` has a sentence for each change of a colleague.
	 */
	async function save(seen: Versioned<Thing>, mine: Partial<Values>, others: string[] = []): Promise<Saved<Thing>> {
		const changes = changedFields(valuesOf(seen), mine);
		if (keysOf(changes).length === 0) return { thing: seen, message: ['没有修改，无需保存', ...others].join('。') };
		try {
			const thing = await task.change(seen, changes);
			// The page shows it before it is read again. An answer lacks what a read asks for, such as an external id.
			const { queryKey } = task.byId(`${seen.id}`);
			client.setQueryData<Thing>(queryKey, (shown) => shown && { ...shown, ...changes, ...thing });
			return { thing, message: [said.saved, ...others].join('。') };
		} catch (error) {
			const refusal = asRefusal(error);
			if (refusal.status !== 412) throw error;
			const present = await client.fetchQuery({ ...task.byId(`${seen.id}`), staleTime: 0 });
			const theirs = changedFields<Values>(valuesOf(seen), valuesOf(present));
			const both = keysOf(changedFields(valuesOf(present), mine)).filter((name) => name in theirs);
			adopt(present, mine, theirs);
			setClashes(both.map((name) => clashOn(name, mine[name], theirs[name], refusal)));
			if (both.length > 0) throw refusal;
			// The refused request may have saved a part of the form.
			return save(present, mine, [...others, ...remarksOn(changedFields(mine, theirs), refusal)]);
		}
	}

	const textOf = (name: string, value: unknown) => task.show?.(name, value) ?? String(value ?? '');

	/** A value in quotation marks, or a word for none. */
	function shown(name: string, value: unknown): string {
		const text = textOf(name, value);
		return text === '' ? '（空）' : `“${text}”`;
	}

	function clashOn(name: keyof Values & string, mine: unknown, theirs: unknown, refusal: Refusal): Clash {
		return {
			name,
			label: labels[name],
			mine: { value: mine, text: shown(name, mine) },
			theirs: { value: theirs, text: refusal.about(name)?.message ?? shown(name, theirs) },
		};
	}

	/** A colleague's changes to fields that the person did not change: `王芳 15:32 将手机号改为“13900139000”`. */
	function remarksOn(theirs: Partial<Values>, refusal: Refusal): string[] {
		const isField = (name: string): name is keyof Values & string => name in labels;
		const told = refusal.details.flatMap(({ field = '' }) => (isField(field) ? field : []));
		return Array.from(new Set([...told, ...keysOf(theirs)]), (name) => {
			const detail = refusal.about(name);
			return changeOf(detail, labels[name], detail ? (detail.value ?? null) : textOf(name, theirs[name]));
		});
	}

	/** Adopts the fields that only a colleague changed. */
	function adopt(present: Versioned<Thing>, mine: Partial<Values>, theirs: Partial<Values>) {
		const notMine = keysOf(theirs).filter((name) => !(name in mine));
		form.setFields(notMine.map((name) => ({ name: name as never, value: theirs[name] })));
		setBase(present);
	}

	function take(clash: Clash, kept: Side) {
		form.setFields([{ name: clash.name as never, value: clash[kept].value, errors: [] }]);
		setClashes(clashes.map((each) => (each === clash ? { ...clash, kept } : each)));
	}

	const submission = useSubmit(send, {
		success: ({ message }) => message,
		onDone: ({ thing }) => task.onDone?.(thing),
	});
	const { form } = submission;
	return {
		submission: {
			...submission,
			// A 412 to a change is shown as clashes.
			problem: base && submission.problem?.status === 412 ? undefined : submission.problem,
		},
		isBlocked: clashes.some(({ kept }) => !kept),
		notice: <Clashes clashes={clashes} onTake={take} />,
		initialValues: base ? valuesOf(base) : (task.draft ?? {}),
	};
}

/** The fields of a form whose value changed; null if it was removed. Blanks around a text and the order of a list do not count. */
function changedFields<Values extends object>(before: Partial<Values>, after: Partial<Values>): Partial<Values> {
	const changed = keysOf(after).filter((name) => plain(before[name]) !== plain(after[name]));
	return Object.fromEntries(changed.map((name) => [name, after[name] ?? null])) as Partial<Values>;
}

/** A value in a form that can be compared, as the service would store it. */
function plain(value: unknown): string {
	if (Array.isArray(value)) return JSON.stringify(value.toSorted());
	const kept = typeof value === 'string' ? value.trim() : value;
	return JSON.stringify(kept === '' || kept === undefined ? null : kept);
}

function keysOf<Values extends object>(values: Partial<Values>): (keyof Values & string)[] {
	return Object.keys(values) as (keyof Values & string)[];
}
