import { QRCodeSVG } from '@rc-component/qrcode';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { GivenPassword } from '../../employees/model.ts';
import { showPhone } from '../../vocabulary/phone.ts';
import { ownPageUrl } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { showTime } from '../api/time.ts';

interface Props {
	of: GivenPassword;
	/** What can be done with it. */
	children?: ReactNode;
}

/** What somebody needs to sign in for the first time, as it is on paper. */
export function Slip({ of: { name, phone, storeName, password, expiresAt }, children }: Props) {
	return (
		<article className="slip" aria-label={name}>
			<strong>{name}</strong>
			<p>{chainName ? `${chainName} · ${storeName}` : storeName}</p>
			<svg className="slip-code" viewBox="0 0 100 100" role="img" aria-label="登录网址的二维码">
				<use href={`#${codeId}`} />
			</svg>
			<dl>
				<dt>手机号</dt>
				<dd>{showPhone(phone)}</dd>
				<dt>密码</dt>
				<dd className="slip-password">{password}</dd>
				<dt>有效期</dt>
				<dd>至 {showTime(expiresAt)}</dd>
			</dl>
			<p className="slip-advice">
				扫码或打开 <b>{ownPageUrl}</b> 登录，然后设置自己的密码。请不要把密码告诉别人。
			</p>
			{children}
		</article>
	);
}

const codeId = 'own-page-code';

/** The code that all slips show, drawn once. */
export function SlipCode() {
	return createPortal(
		<svg className="unseen" aria-hidden>
			<symbol id={codeId} viewBox="0 0 100 100">
				<QRCodeSVG value={ownPageUrl} size={100} level="M" marginSize={2} />
			</symbol>
		</svg>,
		document.body,
	);
}

/** The slips on paper, several on a page; on the screen they are not there. */
export function SlipSheet({ slips }: { slips: readonly GivenPassword[] }) {
	const sheet = (
		<div className="slip-sheet">
			{slips.map((slip) => (
				<Slip key={slip.id} of={slip} />
			))}
		</div>
	);
	return createPortal(sheet, document.body);
}
