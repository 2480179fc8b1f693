import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { asRefusal } from '../api/refusal.ts';
import { Field, ShowPassword } from '../session/field.tsx';
import { Refused } from './parts.tsx';

interface OwnField<Name extends string> {
	name: Name;
	label: string;
	kind: 'current-password' | 'new-password' | 'one-time-code';
	/** Advice on the value while the person types. */
	advise?(value: string): string | undefined;
}

type Values<Name extends string> = Record<Name, string>;

interface Props<Name extends string> {
	fields: readonly OwnField<Name>[];
	/** The username, for the password manager of the browser. */
	username: string;
	/** Finds errors without asking the service; an empty field always is an error. */
	check?(values: Values<Name>): Partial<Values<Name>>;
	/** @throws Refusal, which stands at the fields that it names */
	send(values: Values<Name>): Promise<unknown>;
	/** The text of the button. */
	verb: string;
}

/** A form about the own account. */
export function OwnForm<Name extends string>({ fields, username, check, send, verb }: Props<Name>) {
	const [isShown, setShown] = useState(false);
	const [wrong, setWrong] = useState<Partial<Values<Name>>>({});
	const [advice, setAdvice] = useState<string>();
	const sending = useMutation({ mutationFn: send });
	const refusal = sending.error ? asRefusal(sending.error) : undefined;
	const names = fields.map(({ name }) => name);

	function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		const form = event.currentTarget;
		const given = new FormData(form);
		const values = Object.fromEntries(names.map((name) => [name, String(given.get(name))])) as Values<Name>;
		const found = { ...check?.(values), ...emptyIn(fields, values) };
		setWrong(found);
		const first = names.find((name) => found[name]);
		if (first) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
		else if (!sending.isPending) sending.mutate(values);
	}

	const firstSecret = fields.find(isSecret);
	return (
		<form className="own-form" onSubmit={submit} noValidate>
			<Refused refusal={refusal} fields={names} />
			<input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
			{fields.map((field) => (
				<Field
					key={field.name}
					name={field.name}
					label={field.label}
					type={isSecret(field) && !isShown ? 'password' : 'text'}
					autoComplete={field.kind}
					onInput={({ currentTarget }) => field.advise && setAdvice(field.advise(currentTarget.value))}
					error={wrong[field.name] ?? refusal?.about(field.name)}
				>
					{field === firstSecret && <ShowPassword isShown={isShown} onChange={setShown} />}
					{field.advise && (
						<span role="status" className="field-advice">
							{advice}
						</span>
					)}
				</Field>
			))}
			<button type="submit" className="main-button" disabled={sending.isPending}>
				{sending.isPending ? '请稍候…' : verb}
			</button>
		</form>
	);
}

function isSecret({ kind }: { kind: string }): boolean {
	return kind !== 'one-time-code';
}

function emptyIn<Name extends string>(fields: readonly OwnField<Name>[], values: Values<Name>): Partial<Values<Name>> {
	const empty = fields.filter(({ name }) => values[name].trim() === '');
	return Object.fromEntries(empty.map(({ name, label }) => [name, wantOf(label)])) as Partial<Values<Name>>;
}

/** The error of an empty field: `请输入新密码`, `请再次输入新密码`. */
function wantOf(label: string): string {
	return `请${label.startsWith('再次') ? '' : '输入'}${label.replace(/（.*/, '')}`;
}
