import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readPhone } from '../../vocabulary/phone.ts';
import { answer, api } from '../api/client.ts';
import { outage } from '../api/connection.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { beginSession } from '../api/session.ts';
import { useValue } from '../api/value.ts';

/**
 * The sign-in. It covers the screens as a modal dialog and does not use Ant Design, so that it is there at once.
 * `reason` says why a session ended.
 */
export function SignInDialog({ reason }: { reason: string | undefined }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog
			ref={dialog}
			className="sign-in"
			aria-labelledby="sign-in-title"
			onCancel={(event) => event.preventDefault()}
		>
			<SignInForm reason={reason} />
		</dialog>
	);
}

function SignInForm({ reason }: { reason: string | undefined }) {
	const [pending, setPending] = useState(false);
	const [refusal, setRefusal] = useState<Refusal>();
	const wait = useCountdown(refusal);
	const problem = useValue(outage);

	async function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		const fields = new FormData(event.currentTarget);
		const username = String(fields.get('username'));
		const credentials = { username: readPhone(username) ?? username, password: String(fields.get('password')) };
		setPending(true);
		try {
			beginSession(await answer(api.auth.admin.login.post(credentials)));
		} catch (error) {
			setRefusal(asRefusal(error));
			setPending(false);
		}
	}

	const fieldError = (name: string) => refusal?.details.find(({ path }) => path === `body.${name}`)?.message;
	return (
		<form className="sign-in-form" onSubmit={submit} noValidate>
			<h1 id="sign-in-title">门店管理后台</h1>
			<div role="alert" className="sign-in-notice">
				{refusal ? (
					<p>{wait > 0 ? `${refusal.message}（${wait} 秒后可重试）` : refusal.message}</p>
				) : (
					reason && <p>{reason}</p>
				)}
				{problem && !refusal?.isTemporary && <p>{problem}</p>}
			</div>
			<Field name="username" label="用户名或手机号" autoComplete="username" error={fieldError('username')} />
			<Field
				name="password"
				label="密码"
				type="password"
				autoComplete="current-password"
				error={fieldError('password')}
			/>
			<button type="submit" disabled={pending || wait > 0} aria-busy={pending}>
				{pending ? '正在登录…' : '登录'}
			</button>
		</form>
	);
}

interface FieldProps {
	name: string;
	label: string;
	type?: string;
	autoComplete: string;
	error: string | undefined;
}

function Field({ name, label, error, ...input }: FieldProps) {
	const errorId = `sign-in-${name}-error`;
	return (
		<div className="sign-in-field">
			<label htmlFor={`sign-in-${name}`}>{label}</label>
			<input
				id={`sign-in-${name}`}
				name={name}
				required
				aria-invalid={error !== undefined}
				aria-describedby={error && errorId}
				{...input}
			/>
			{error && <span id={errorId}>{error}</span>}
		</div>
	);
}

/** The seconds until the server accepts another attempt. */
function useCountdown(refusal: Refusal | undefined): number {
	const [left, setLeft] = useState(0);
	useEffect(() => {
		if (refusal?.retryAfter === undefined) return setLeft(0);
		const end = Date.now() + refusal.retryAfter * 1000;
		const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
		update();
		const timer = setInterval(update, 250);
		return () => clearInterval(timer);
	}, [refusal]);
	return left;
}
