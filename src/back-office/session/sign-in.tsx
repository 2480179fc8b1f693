import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { readPhone } from '../../vocabulary/phone.ts';
import { pageName, subtitle } from '../api/chain.ts';
import { answer, api } from '../api/client.ts';
import { outage } from '../api/connection.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { beginSession, type Ended } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { Mark } from './mark.tsx';

/** The sign-in. It covers the screens as a modal dialog and does not use Ant Design, so that it is there at once. */
export function SignInDialog({ ended }: { ended: Ended }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog
			ref={dialog}
			className="sign-in"
			aria-labelledby="sign-in-title"
			onCancel={(event) => event.preventDefault()}
		>
			<SignInForm ended={ended} />
		</dialog>
	);
}

const wanted = { username: '请输入用户名或手机号', password: '请输入密码' };

type Missing = Partial<Record<keyof typeof wanted, string>>;

function SignInForm({ ended: { reason, account, name } }: { ended: Ended }) {
	const [pending, setPending] = useState(false);
	const [refusal, setRefusal] = useState<Refusal>();
	const [missing, setMissing] = useState<Missing>({});
	const [isShown, setShown] = useState(false);
	const wait = useCountdown(refusal);
	const problem = useValue(outage);

	async function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		const form = event.currentTarget;
		const fields = new FormData(form);
		const username = String(fields.get('username'));
		const credentials = { username: readPhone(username) ?? username, password: String(fields.get('password')) };
		const empty = emptyOf(credentials);
		setMissing(empty);
		const [first] = Object.keys(empty);
		if (first) return form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
		setPending(true);
		try {
			beginSession(await answer(api.auth.admin.login.post(credentials)));
		} catch (error) {
			setRefusal(asRefusal(error));
			setPending(false);
		}
	}

	return (
		<form className="sign-in-form" onSubmit={submit} noValidate>
			<Mark />
			<h1 id="sign-in-title">{pageName}</h1>
			{subtitle && <p className="sign-in-subtitle">{subtitle}</p>}
			<div role="alert" className="sign-in-notice">
				{refusal ? (
					<p>{wait > 0 ? `${messageOf(refusal)}（${wait} 秒后可重试）` : messageOf(refusal)}</p>
				) : (
					reason && <p>{reason}</p>
				)}
				{problem && !refusal?.isTemporary && <p>{problem}</p>}
			</div>
			{account !== undefined && (
				<p className="sign-in-behind">
					{name && `“${name}”的`}页面还在后面，填写到一半的内容没有丢失。请用原账号登录后继续；换用其他账号会从头开始。
				</p>
			)}
			<Field name="username" label="用户名或手机号" autoComplete="username" error={missing.username} />
			<Field
				name="password"
				label="密码"
				type={isShown ? 'text' : 'password'}
				autoComplete="current-password"
				error={missing.password}
			>
				<button type="button" className="sign-in-show" onClick={() => setShown(!isShown)}>
					{isShown ? '隐藏密码' : '显示密码'}
				</button>
			</Field>
			<button type="submit" disabled={pending || wait > 0} aria-busy={pending}>
				{pending ? '正在登录…' : '登录'}
			</button>
			<p className="sign-in-help">忘记密码？请联系店长或管理员重置。</p>
		</form>
	);
}

function emptyOf(credentials: Record<keyof typeof wanted, string>): Missing {
	return Object.fromEntries(
		Object.entries(wanted).filter(([name]) => credentials[name as keyof typeof wanted].trim() === ''),
	);
}

/** A name or password of a form that no account can have is as wrong as any other. */
function messageOf({ status, message }: Refusal): string {
	return status === 400 ? '用户名或密码错误' : message;
}

interface FieldProps {
	name: string;
	label: string;
	type?: string;
	autoComplete: string;
	error: string | undefined;
	/** What stands beside the label. */
	children?: ReactNode;
}

function Field({ name, label, error, children, ...input }: FieldProps) {
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
			{children}
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
