import { type FormEvent, useEffect, useState } from 'react';
import type { Credentials } from '../../features/auth/model.ts';
import { readPhone } from '../../platform/vocabulary/phone.ts';
import { isOwnPage, ownPageUrl } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { asRefusal, Refusal } from '../api/refusal.ts';
import type { Ended } from '../api/session.ts';
import { isUnsaved } from '../page/open-form.ts';
import { SignInBox } from './mark.tsx';
import { ModalDialog } from './modal.tsx';
import { type PlainField, PlainForm } from './plain-form.tsx';
import { enter } from './portal.ts';

/** The sign-in. It covers the screens as a modal dialog and does not use Ant Design, so that it is there at once. */
export function SignInDialog({ ended }: { ended: Ended }) {
	return (
		<ModalDialog className="sign-in" aria-labelledby="sign-in-title">
			<SignInForm ended={ended} title={isOwnPage ? '我的账号' : '门店管理后台'} enter={enter} />
		</ModalDialog>
	);
}

interface Props {
	ended: Ended;
	title: string;
	/** Signs in. A phone is in the form of the service. @throws Refusal */
	enter(credentials: Credentials): Promise<unknown>;
}

/** The form of every page that signs people in. It begins with the name of the account whose session ended. */
export function SignInForm({ ended: { reason, username }, title, enter }: Props) {
	/** Whether the account must enter a code, or turn on its second factor. */
	const [asked, setAsked] = useState<'code' | 'secondFactor'>();
	const name = chainName.get();

	async function signIn({ username, ...secrets }: Credentials) {
		try {
			await enter({ username: readPhone(username) ?? username.trim(), ...secrets });
		} catch (error) {
			const refusal = asRefusal(error);
			if (refusal.has('second_factor_required')) setAsked('secondFactor');
			if (refusal.about('code')) setAsked('code');
			// A name or password that no account can have is as wrong as any other.
			else if (refusal.status === 400) throw new Refusal(400, { message: '用户名或密码错误', details: [] });
			if (!refusal.has('second_factor_code_required')) throw refusal;
		}
	}

	/** Another account may be asked for nothing more. The accepted password goes, because the next person could show it. */
	function forget({ target }: FormEvent) {
		if (!asked || !(target instanceof HTMLInputElement) || target.name !== 'username') return;
		setAsked(undefined);
		const password = target.form?.elements.namedItem('password');
		if (password instanceof HTMLInputElement) password.value = '';
	}

	return (
		<SignInBox title={name ?? title} subtitle={name && title}>
			<div onInput={forget}>
				<PlainForm
					fields={asked === 'code' ? [...fieldsFor(username), code] : fieldsFor(username)}
					send={signIn}
					verb="登录"
					notice={reason}
					above={
						<>
							{asked === 'secondFactor' && (
								<p className="sign-in-behind">
									请打开
									<a className="in-text" href={ownPageUrl}>
										我的账号
									</a>
									开启，然后在此登录。
								</p>
							)}
							<Unsaved />
						</>
					}
				/>
			</div>
			<p className="sign-in-help">忘记密码？请联系为您开通账号的同事或管理员重置。</p>
		</SignInBox>
	);
}

/** Says that an open form behind the sign-in keeps what would be lost. */
function Unsaved() {
	const [isShown, setShown] = useState(false);
	useEffect(() => setShown(isUnsaved()), []);
	return isShown && <p className="sign-in-behind">未保存的内容还在，用原账号登录后继续。</p>;
}

type Name = 'username' | 'password' | 'code';

const fieldsFor = (username: string | undefined): PlainField<Name>[] => [
	{ name: 'username', label: '用户名或手机号', kind: 'username', initial: username },
	{ name: 'password', label: '密码', kind: 'current-password', isFirst: Boolean(username) },
];

const code: PlainField<Name> = {
	name: 'code',
	label: '动态验证码',
	kind: 'one-time-code',
	isFirst: true,
	hint: '请输入验证器应用显示的 6 位数字，或一个恢复码。',
};
