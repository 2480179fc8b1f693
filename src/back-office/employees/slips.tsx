/** Passwords that are shown once: on the screen, copied, or on paper. They are not kept. */
import { App, Button, Modal } from 'antd';
import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { GivenPassword } from '../../features/employees/model.ts';
import { withoutFormula } from '../../features/files/formats/csv-cell.ts';
import { givenOwnPage } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { showTime } from '../api/time.ts';
import { lossQuestion, useDiscard } from '../forms/discard.ts';
import { useOpenAbove } from '../forms/opening.tsx';
import { people } from '../page/texts.tsx';
import { useCopy } from '../page/use-copy.ts';
import { issuePasswords } from './employee-queries.ts';
import { byStore, Slip, SlipCode, type StoreSlips } from './slip.tsx';

/** Returns the function that shows one-time passwords, above any page. */
export function useShowSlips(): (slips: readonly GivenPassword[]) => void {
	const openAbove = useOpenAbove();
	return (slips) => slips.length > 0 && openAbove(<SlipsDialog slips={slips} />);
}

/** Returns the function that issues an employee's first password and shows it. `done` says what was done before. */
export function useFirstPassword(): (id: number, done: string) => void {
	const { message } = App.useApp();
	const showSlips = useShowSlips();
	return (id, done) =>
		issuePasswords([id]).then(
			({ items }) => showSlips(items),
			() => void message.warning(`${done}，但没有生成一次性密码。请在员工页面点“重置密码”。`, 0),
		);
}

/** A phone can share a text with another app, such as WeChat. */
const canShare = 'share' in navigator && window.matchMedia('(max-width: 767px)').matches;
const sendVerb = canShare ? '发送' : '复制';

/** Shows passwords to copy, print or share. Closing asks while one of them was not handed out. */
function SlipsDialog({ slips }: { slips: readonly GivenPassword[] }) {
	const stores = useMemo(() => byStore(slips), [slips]);
	const copyText = useCopy();
	const [handedOut, setHandedOut] = useState<ReadonlySet<number>>(new Set());
	const [printed, setPrinted] = useState(stores);
	const isChanged = () => slips.some(({ id }) => !handedOut.has(id));
	const close = useDiscard({ isChanged, question: lossQuestion('密码还没有复制或打印', '只能重置密码') });
	const one = slips.length === 1 ? slips[0] : undefined;
	const canSend = one !== undefined && canShare;
	const handOut = (some: readonly GivenPassword[]) =>
		setHandedOut(new Set([...handedOut, ...some.map(({ id }) => id)]));
	async function copy(some: readonly GivenPassword[], text: string) {
		if (await copyText(text)) handOut(some);
	}
	/** Shares a slip on a phone, and copies it elsewhere. Closing the share sheet sends nothing. */
	function send(slip: GivenPassword) {
		if (!canShare) return copy([slip], textOf(slip));
		return navigator.share({ text: textOf(slip) }).then(
			() => handOut([slip]),
			() => undefined,
		);
	}
	function print(some: StoreSlips[]) {
		flushSync(() => setPrinted(some));
		window.print();
		handOut(some.flatMap((each) => each.slips));
	}
	return (
		<Modal
			open
			onCancel={close}
			mask={{ closable: false }}
			width={one ? 480 : 840}
			className="slips-dialog"
			title={one ? `${one.name} 的一次性密码` : `${people(slips.length)}的一次性密码`}
			footer={
				<>
					<Button onClick={close}>关闭</Button>
					<Button autoFocus onClick={() => void copy(slips, one ? textOf(one) : tableOf(stores))}>
						{one ? '复制' : '全部复制'}
					</Button>
					<Button type={canSend ? 'default' : 'primary'} onClick={() => print(stores)}>
						打印
					</Button>
					{canSend && (
						<Button type="primary" onClick={() => void send(one)}>
							发送
						</Button>
					)}
				</>
			}
		>
			<p>密码只显示这一次：请现在{canSend && '发送、'}复制或打印，交给本人。首次登录后须设置自己的密码。</p>
			{/* On paper each store begins a new sheet. The buttons of the dialog are for a single slip. */}
			{stores.map((of) => (
				<section key={of.store} className={printed.includes(of) ? undefined : 'unprinted'}>
					<div className={one ? 'printed' : 'line slips-store'}>
						<h2>
							{of.store} · {of.slips.length} 人
						</h2>
						{stores.length > 1 && (
							<Button size="small" onClick={() => print([of])}>
								只打印这家店
							</Button>
						)}
					</div>
					<div className="slips">
						{of.slips.map((slip) => (
							<Slip key={slip.id} of={slip}>
								{/* Not one of Ant Design, because there can be a thousand. */}
								{!one && (
									<button type="button" className="plain-button" onClick={() => void send(slip)}>
										{handedOut.has(slip.id) && '已'}
										{sendVerb}
									</button>
								)}
							</Slip>
						))}
					</div>
				</section>
			))}
			<SlipCode />
		</Modal>
	);
}

/** The message that is sent to an employee. */
function textOf({ name, phone, password, expiresAt }: GivenPassword): string {
	const chain = chainName.get();
	return [
		`${name}，您${chain ? `在“${chain}”` : ''}的登录信息：`,
		`网址：${givenOwnPage.href}`,
		`手机号：${phone}`,
		`一次性密码：${password}（有效期至 ${showTime(expiresAt)}）`,
		'首次登录后请设置自己的密码。',
	].join('\n');
}

/** The text for a spreadsheet. */
function tableOf(stores: readonly StoreSlips[]): string {
	const rows = stores
		.flatMap(({ slips }) => slips)
		.map(({ name, storeName, phone, password, expiresAt }) => [
			withoutFormula(name),
			withoutFormula(storeName),
			phone,
			password,
			showTime(expiresAt),
		]);
	return [['姓名', '门店', '手机号', '一次性密码', '有效期至'], ...rows].map((row) => row.join('\t')).join('\n');
}
