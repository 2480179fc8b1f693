import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Credentials } from '../../features/auth/model.ts';
import { isOwnPage, ownPageUrl } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { outage } from '../api/connection.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import type { Ended } from '../api/session.ts';
import { useValue } from '../api/value.ts';
import { doorTitle, enter } from './door.ts';
import { Field, ShowPassword } from './field.tsx';
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
			<SignInForm ended={ended} title={doorTitle} enter={enter} />
		</dialog>
	);
}

const wanted = { username: '请输入用户名或手机号', password: '请输入密码', code: '请输入动态验证码' };

type Missing = Partial<Record<keyof typeof wanted, string>>;

/** The chain, and what the page is. */
function Heading({ title }: { title: string }) {
	const name = chainName.get();
	return (
		<>
			<Mark />
			<h1 id="sign-in-title">{name ?? title}</h1>
			{name && <p className="sign-in-subtitle">{title}</p>}
		</>
	);
}

interface Props {
	ended: Ended;
	title: string;
	/** The username to begin with. */
	username?: string;
	/** Signs in. @throws Refusal */
	enter(credentials: Credentials): Promise<unknown>;
}

/** The form of every page that signs people in. */
export function SignInForm({ ended: { reason, account, name }, title, username, enter }: Props) {
	const [pending, setPending] = useState(false);
	const [refusal, setRefusal] = useState<Refusal>();
	const [missing, setMissing] = useState<Missing>({});
	const [isShown, setShown] = useState(false);
	/** Whether the account has a second factor, and whether a code was sent already. */
	const [asksCode, setAsksCode] = useState(false);
	const [hasSentCode, setHasSentCode] = useState(false);
	const codeField = useRef<HTMLInputElement>(null);
	useEffect(() => {
		if (asksCode) codeField.current?.focus();
	}, [asksCode]);
	const wait = useCountdown(refusal);
	const problem = useValue(outage);

	async function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		const form = event.currentTarget;
		const fields = new FormData(form);
		const given = (name: string) => String(fields.get(name) ?? '');
		const code = asksCode ? { code: given('code') } : {};
		const credentials = { username: given('username'), password: given('password'), ...code };
		const empty = emptyOf(credentials);
		setMissing(empty);
		const [first] = Object.keys(empty);
		if (first) return form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
		setPending(true);
		try {
			await enter(credentials);
		} catch (error) {
			const failure = asRefusal(error);
			setRefusal(failure);
			setHasSentCode(asksCode);
			if (failure.about('code')) setAsksCode(true);
			setPending(false);
		}
	}

	return (
		<form className="sign-in-form" onSubmit={submit} noValidate>
			<Heading title={title} />
			<div role="alert" className="sign-in-notice">
				{refusal && !refusal.about('code') ? (
					<p>{wait > 0 ? `${messageOf(refusal)}（${wait} 秒后可重试）` : messageOf(refusal)}</p>
				) : (
					reason && !refusal && <p>{reason}</p>
				)}
				{problem && !refusal?.isTemporary && <p>{problem}</p>}
			</div>
			{refusal?.asksFor === 'secondFactor' && (
				<p className="sign-in-behind">
					请打开
					<a className="in-text" href={ownPageUrl}>
						我的账号
					</a>
					开启，然后在此登录。
				</p>
			)}
			{account !== undefined && !isOwnPage && (
				<p className="sign-in-behind">
					{name && `“${name}”的`}页面还在后面，填写到一半的内容没有丢失。请用原账号登录后继续；换用其他账号会从头开始。
				</p>
			)}
			<Field
				name="username"
				label="用户名或手机号"
				autoComplete="username"
				defaultValue={username}
				error={missing.username}
			/>
			<Field
				name="password"
				label="密码"
				type={isShown ? 'text' : 'password'}
				autoComplete="current-password"
				error={missing.password}
			>
				<ShowPassword isShown={isShown} onChange={setShown} />
			</Field>
			{asksCode && (
				<>
					<Field
						ref={codeField}
						name="code"
						label="动态验证码"
						autoComplete="one-time-code"
						error={missing.code ?? (hasSentCode ? refusal?.about('code') : undefined)}
					/>
					<p className="sign-in-behind">请输入验证器应用显示的 6 位数字，或一个恢复码。</p>
				</>
			)}
			<button type="submit" className="main-button" disabled={pending || wait > 0} aria-busy={pending}>
				{pending ? '正在登录…' : '登录'}
			</button>
			<p className="sign-in-help">忘记密码？请联系为您开通账号的同事或管理员重置。</p>
		</form>
	);
}

/** The required fields that are empty. */
function emptyOf(given: Partial<Record<keyof typeof wanted, string>>): Missing {
	return Object.fromEntries(
		Object.entries(wanted).filter(([name]) => given[name as keyof typeof wanted]?.trim() === ''),
	);
}

/** A name or password of a form that no account can have is as wrong as any other. */
function messageOf({ status, message }: Refusal): string {
	return status === 400 ? '用户名或密码错误' : message;
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
