import { QRCodeSVG } from '@rc-component/qrcode';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { GivenPassword } from '../../features/employees/model.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { givenOwnPage } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { showTime } from '../api/time.ts';

interface Props {
	of: GivenPassword;
	children?: ReactNode;
}

/** A slip on paper: an employee's data for the first sign-in. */
export function Slip({ of: { name, phone, storeName, password, expiresAt }, children }: Props) {
	return (
		<article className="slip" aria-label={name}>
			<strong>{name}</strong>
			<p>{[chainName.get(), storeName].filter(Boolean).join(' · ')}</p>
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
				扫码或打开 <b>{givenOwnPage.href}</b> 登录，然后设置自己的密码。请不要把密码告诉别人。
			</p>
			{children}
		</article>
	);
}

const codeId = 'own-page-code';

/** The QR code of all slips, drawn once. */
export function SlipCode() {
	return createPortal(
		<svg className="unseen" aria-hidden>
			<symbol id={codeId} viewBox="0 0 100 100">
				<QRCodeSVG value={givenOwnPage.href} size={100} level="M" marginSize={2} />
			</symbol>
		</svg>,
		document.body,
	);
}

/** The slips of one store. */
export interface StoreSlips {
	store: string;
	slips: readonly GivenPassword[];
}

const inChinese = new Intl.Collator('zh-CN', { numeric: true });

/** Sorts slips for handing out: by store, then by name. */
export function byStore(slips: readonly GivenPassword[]): StoreSlips[] {
	const sorted = slips.toSorted(
		(a, b) => inChinese.compare(a.storeName, b.storeName) || inChinese.compare(a.name, b.name),
	);
	const grouped = Map.groupBy(sorted, ({ storeName }) => storeName);
	return Array.from(grouped, ([store, slips]) => ({ store, slips }));
}
