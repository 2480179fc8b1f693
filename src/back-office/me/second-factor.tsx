import { QRCodeSVG } from '@rc-component/qrcode';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SecondFactorKey } from '../../identity/second-factor/model.ts';
import { wantedPage } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { answer, api, done } from '../api/client.ts';
import { queryOf } from '../api/things.ts';
import { showTime } from '../api/time.ts';
import { copyText } from '../page/copy.ts';
import { PlainForm } from '../session/plain-form.tsx';
import { Dialog, DialogButton, PlainButton } from './parts.tsx';

const route = api.auth.me['second-factor'];

const secondFactor = queryOf(['own', 'second factor'], () => route.get());

const password = { name: 'password', label: '登录密码', kind: 'current-password' } as const;
const code = { name: 'code', label: '动态验证码', kind: 'one-time-code' } as const;

/** The account's second factor: its state, with buttons to turn it on and off. */
export function OwnSecondFactor({ username }: { username: string }) {
	const { data } = useQuery(secondFactor);
	const wanted = wantedPage();
	const client = useQueryClient();
	/** The new codes, until the person has saved them. */
	const [codes, setCodes] = useState<readonly string[]>();
	if (!data) return null;
	const { enabledAt, recoveryCodesLeft } = data;
	function show(given: readonly string[]) {
		setCodes(given);
		void client.invalidateQueries();
	}
	const goOn = () => (wanted ? location.assign(wanted) : setCodes([]));
	const isFocused = codes !== undefined;
	return (
		<>
			<h3>两步验证</h3>
			{wanted && !enabledAt && <p className="own-warning">请先开启两步验证，然后才能使用后台。</p>}
			{enabledAt ? (
				<p>
					已开启（{showTime(enabledAt)}）。还有 {recoveryCodesLeft} 个恢复码可用。
				</p>
			) : (
				<p>未开启。开启后，登录时除了密码，还要输入手机验证器应用显示的 6 位数字：别人知道了密码也无法登录。</p>
			)}
			{codes?.length ? (
				<RecoveryCodes codes={codes} username={username} onDone={goOn} />
			) : (
				<div className="line">
					{enabledAt ? (
						<Changes username={username} onCodes={show} isFocused={isFocused} />
					) : (
						<DialogButton verb="开启两步验证" isFocused={isFocused}>
							<TurnOn username={username} onCodes={show} />
						</DialogButton>
					)}
				</div>
			)}
		</>
	);
}

interface StepProps {
	username: string;
	/** Gets the new recovery codes, if there are any. */
	onCodes(codes: readonly string[]): void;
}

/** In two steps: the password, then the first code. */
function TurnOn({ username, onCodes }: StepProps) {
	const [key, setKey] = useState<SecondFactorKey>();
	if (!key) {
		const begin = async (body: Record<'password', string>) => setKey(await answer(route.post(body)));
		return <PlainForm username={username} fields={[password]} send={begin} verb="下一步" />;
	}
	return (
		<EnterKey of={key}>
			<PlainForm
				username={username}
				fields={[code]}
				send={async (body) => onCodes((await answer(route.put(body))).recoveryCodes)}
				verb="开启"
			/>
		</EnterKey>
	);
}

/** Changes an active second factor, with the password and a code. */
function Changes({ username, onCodes, isFocused }: StepProps & { isFocused: boolean }) {
	const form = { username, fields: [password, code] };
	return (
		<>
			<DialogButton verb="更换恢复码" isFocused={isFocused}>
				<p>将得到 10 个新的恢复码，原来的恢复码立即失效。</p>
				<PlainForm
					{...form}
					send={async (body) => onCodes((await answer(route['recovery-codes'].post(body))).recoveryCodes)}
					verb="更换恢复码"
				/>
			</DialogButton>
			<DialogButton verb="关闭两步验证">
				<p>关闭后，只用密码就能登录。手机不在身边时，可以输入一个恢复码代替动态验证码。</p>
				<PlainForm {...form} send={(body) => done(route.delete(body)).then(() => onCodes([]))} verb="关闭两步验证" />
			</DialogButton>
		</>
	);
}

/** The key for an authenticator app, as a QR code and as text. */
function EnterKey({ of: { secret, uri }, children }: { of: SecondFactorKey; children: ReactNode }) {
	const step = useRef<HTMLDivElement>(null);
	// The focus would be lost with the button of the step before.
	useEffect(() => step.current?.focus(), []);
	return (
		<div ref={step} tabIndex={-1} className="own-step">
			<p>用验证器应用（如腾讯身份验证器、Microsoft Authenticator）扫描二维码，然后输入应用显示的 6 位数字。</p>
			<QRCodeSVG className="own-code" value={uri} size={200} marginSize={2} title="两步验证的二维码" />
			<p>
				应用在这台手机上？<a href={uri}>在应用中打开</a>，或在应用中输入密钥：
			</p>
			<p className="own-secret">{secret.replace(/.{4}(?=.)/g, '$& ')}</p>
			<CopyButton text={secret}>复制密钥</CopyButton>
			{children}
		</div>
	);
}

function CopyButton({ text, children }: { text: string; children: string }) {
	const [copied, setCopied] = useState<boolean>();
	return (
		<>
			<PlainButton onClick={() => void copyText(text).then(setCopied)}>{children}</PlainButton>
			<span role="status" className="own-copied">
				{copied === true ? '已复制' : copied === false && '复制失败，请手动选择文字'}
			</span>
		</>
	);
}

interface CodesProps {
	codes: readonly string[];
	username: string;
	onDone(): void;
}

/** Shown once, so only the button closes it. Printing prints nothing else. */
function RecoveryCodes({ codes, username, onDone }: CodesProps) {
	return (
		<Dialog title={[chainName.get(), '两步验证恢复码'].filter(Boolean).join(' · ')}>
			<p>
				账号 {username}，{showTime(new Date().toISOString()).slice(0, 10)}
			</p>
			<ul className="own-recovery">
				{codes.map((each) => (
					<li key={each}>{each}</li>
				))}
			</ul>
			<p>手机不在身边时，登录时输入一个恢复码代替动态验证码，每个只能用一次。只显示这一次，请妥善保存。</p>
			<div className="line own-buttons">
				<CopyButton text={codes.join('\n')}>复制</CopyButton>
				<PlainButton onClick={() => window.print()}>打印</PlainButton>
				<button type="button" className="main-button" onClick={onDone}>
					我已保存
				</button>
			</div>
		</Dialog>
	);
}
