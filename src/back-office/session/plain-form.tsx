import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { outage } from '../api/connection.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { useNow, useValue } from '../api/value.ts';

export interface PlainField<Name extends string> {
	name: Name;
	label: string;
	kind: 'username' | 'organization' | 'current-password' | 'new-password' | 'one-time-code';
	initial?: string | undefined;
	/** Whether the field has the focus at first. */
	isFirst?: boolean;
	hint?: string;
	/** Advice on the value while the person types. */
	advise?(value: string): string | undefined;
}

type Values<Name extends string> = Record<Name, string>;

interface Props<Name extends string> {
	fields: readonly PlainField<Name>[];
	/** The username, for the password manager of the browser. */
	username?: string;
	/** Finds errors without asking the service. An empty field is always an error. */
	check?(values: Values<Name>): Partial<Values<Name>>;
	/** @throws Refusal, which is shown at the fields that it names */
	send(values: Values<Name>): Promise<unknown>;
	/** The text of the button. */
	verb: string;
	/** The text shown in place of a refusal. */
	notice?: string | undefined;
	/** The content between the notice and the fields. */
	above?: ReactNode;
}

/** A form without Ant Design, so that it is there at once. */
export function PlainForm<Name extends string>(props: Props<Name>) {
	const { fields, username, verb, notice, above } = props;
	const [isShown, setShown] = useState(false);
	const { submit, wrong, refusal, isPending, wait } = useSending(props);
	const problem = useValue(outage);
	const firstSecret = fields.find(isSecret);
	return (
		<form onSubmit={submit} noValidate>
			<Refused refusal={refusal} fields={fields.map(({ name }) => name)} wait={wait} notice={problem ?? notice} />
			{above}
			{username !== undefined && (
				<input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
			)}
			{fields.map((field) => (
				<Field
					key={field.name}
					of={field}
					type={isSecret(field) && !isShown ? 'password' : 'text'}
					error={wrong[field.name] ?? refusal?.about(field.name)?.message}
				>
					{field === firstSecret && (
						<button type="button" className="text-button field-show" onClick={() => setShown(!isShown)}>
							{isShown ? '隐藏密码' : '显示密码'}
						</button>
					)}
				</Field>
			))}
			{/* Really disabled, it would lose the focus. */}
			<button type="submit" className="main-button" aria-disabled={isPending || wait > 0} aria-busy={isPending}>
				{isPending ? '请稍候…' : verb}
			</button>
		</form>
	);
}

/** Sends the typed values. If one is wrong, it moves the focus to that field instead. */
function useSending<Name extends string>({ fields, check, send }: Props<Name>) {
	const [wrong, setWrong] = useState<Partial<Values<Name>>>({});
	const [refusal, setRefusal] = useState<Refusal>();
	const [isPending, setPending] = useState(false);
	const wait = useCountdown(refusal?.retryAt);
	async function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		if (isPending || wait > 0) return;
		const form = event.currentTarget;
		const given = new FormData(form);
		const values = Object.fromEntries(fields.map(({ name }) => [name, String(given.get(name))])) as Values<Name>;
		const found = { ...check?.(values), ...emptyIn(fields, values) };
		setWrong(found);
		const first = fields.find(({ name }) => found[name]);
		if (first) return form.querySelector<HTMLInputElement>(`[name=${first.name}]`)?.focus();
		setPending(true);
		setRefusal(await send(values).then(() => undefined, asRefusal));
		setPending(false);
	}
	return { submit, wrong, refusal, isPending, wait };
}

interface RefusedProps {
	refusal: Refusal | undefined;
	/** The fields that can show the refusal instead. */
	fields?: readonly string[];
	wait?: number;
	notice?: string | undefined;
}

/** The reason for a refusal, unless a field shows it. An outage has its own notice, which says nothing of a time to wait. */
export function Refused({ refusal, fields = [], wait = 0, notice }: RefusedProps) {
	const isShown = refusal && (wait > 0 || !refusal.isTemporary) && !fields.some((field) => refusal.about(field));
	const text = isShown ? `${refusal.message}${wait > 0 ? `（${wait} 秒后可重试）` : ''}` : notice;
	return (
		<div role="alert" className="form-refusal">
			{text && <p>{text}</p>}
		</div>
	);
}

interface FieldProps extends Pick<ComponentProps<'input'>, 'type' | 'children'> {
	of: PlainField<string>;
	error: string | undefined;
}

function Field({ of: field, type, error, children }: FieldProps) {
	const { name, label, kind, initial, isFirst = false, hint, advise } = field;
	const [advice, setAdvice] = useState<string>();
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => {
		if (isFirst) input.current?.focus();
	}, [isFirst]);
	const [id, errorId] = [`field-${name}`, `field-${name}-error`];
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			<input
				ref={input}
				id={id}
				name={name}
				type={type}
				autoComplete={kind}
				defaultValue={initial}
				required
				aria-invalid={error !== undefined}
				aria-describedby={error && errorId}
				onInput={({ currentTarget }) => setAdvice(advise?.(currentTarget.value))}
			/>
			{children}
			{hint && <p>{hint}</p>}
			{advise && (
				<span role="status" className="field-advice">
					{advice}
				</span>
			)}
			{error && (
				<span id={errorId} role="alert">
					{error}
				</span>
			)}
		</div>
	);
}

const isSecret = ({ kind }: PlainField<string>) => kind.endsWith('password');

function emptyIn<Name extends string>(fields: readonly PlainField<Name>[], values: Values<Name>) {
	const empty = fields.filter(({ name }) => values[name].trim() === '');
	return Object.fromEntries(empty.map(({ name, label }) => [name, errorOfEmpty(label)])) as Partial<Values<Name>>;
}

/** The error of an empty field: `请输入新密码`, `请再次输入新密码`. */
function errorOfEmpty(label: string): string {
	return `请${label.startsWith('再次') ? '' : '输入'}${label.replace(/（.*/, '')}`;
}

/** The seconds until the server accepts another attempt. */
function useCountdown(retryAt = 0): number {
	const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
	useNow(seconds > 0 ? 1000 : undefined);
	return seconds;
}
