/** Passwords that are shown once: on the screen, copied, on paper. Nothing of them is kept. */
import { Button, Modal } from 'antd';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { GivenPassword } from '../../features/employees/model.ts';
import { withoutFormula } from '../../features/files/formats/csv-cell.ts';
import { useOwn } from '../account/own.ts';
import { givenOwnPage, isOnlyHere } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { showTime } from '../api/time.ts';
import { useDiscard } from '../forms/discard.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { people } from '../page/texts.tsx';
import { useCopy } from '../page/use-copy.ts';
import { byStore, Slip, SlipCode, SlipSheets, type StoreSlips, storeLine } from './slip.tsx';

type ShowSlips = (slips: readonly GivenPassword[]) => void;

const ShowSlipsContext = createContext<ShowSlips>(() => {});

/** Returns the function that shows people's one-time passwords, above whatever page is there by then. */
export function useShowSlips(): ShowSlips {
	return useContext(ShowSlipsContext);
}

/** Where the slips are shown. */
export function SlipsProvider({ children }: { children: ReactNode }) {
	const [slips, setSlips] = useState<readonly GivenPassword[]>([]);
	return (
		<ShowSlipsContext value={setSlips}>
			{children}
			{slips.length > 0 && <SlipsDialog slips={slips} onClose={() => setSlips([])} />}
		</ShowSlipsContext>
	);
}

const question = {
	title: '密码还没有复制或打印，确定关闭？',
	content: '关闭后不能再次查看，只能重置密码。',
	okText: '关闭',
	cancelText: '返回',
};

/** A phone can hand a text to another app, such as WeChat. */
const canShare = 'share' in navigator && window.matchMedia('(max-width: 767px)').matches;

function SlipsDialog({ slips, onClose }: { slips: readonly GivenPassword[]; onClose(): void }) {
	const { can } = useOwn();
	const copyText = useCopy();
	const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
	const stores = useMemo(() => byStore(slips), [slips]);
	const [printed, setPrinted] = useState(stores);
	const close = useDiscard({ isOpen: true, isChanged: () => taken.size < slips.length, onClose, question });
	const take = (some: readonly GivenPassword[]) => setTaken(new Set([...taken, ...some.map(({ id }) => id)]));
	async function copy(some: readonly GivenPassword[], text: string) {
		if (await copyText(text)) take(some);
	}
	/** A closed share sheet has sent nothing. */
	const share = (slip: GivenPassword) =>
		navigator.share({ text: textOf(slip) }).then(
			() => take([slip]),
			() => undefined,
		);
	function print(some: readonly StoreSlips[]) {
		flushSync(() => setPrinted([...some]));
		window.print();
		take(some.flatMap((each) => each.slips));
	}
	const [only, ...others] = slips;
	const one = others.length === 0 ? only : undefined;
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
					<Button onClick={() => void copy(slips, one ? textOf(one) : tableOf(stores))}>
						{one ? '复制' : '全部复制'}
					</Button>
					<Button type={one && canShare ? 'default' : 'primary'} onClick={() => print(stores)}>
						打印
					</Button>
					{one && canShare && (
						<Button type="primary" onClick={() => void share(one)}>
							发送
						</Button>
					)}
				</>
			}
		>
			<Notice type="warning">
				密码只显示这一次：请现在{one && canShare && '发送、'}复制或打印，交给本人。首次登录后须设置自己的密码。
			</Notice>
			{isOnlyHere && can('*') && (
				<Notice type="warning">
					员工的手机打不开这个地址：{givenOwnPage.href} 只能在这台电脑上打开。请让服务器运维人员设置
					PUBLIC_URL，或用手机能打开的网址登录后台。
				</Notice>
			)}
			{stores.map((each) => (
				<section key={each.store}>
					{!one && (
						<div className="slips-store">
							<h2>{storeLine(each)}</h2>
							{stores.length > 1 && (
								<Button size="small" onClick={() => print([each])}>
									只打印这家店
								</Button>
							)}
						</div>
					)}
					<div className="slips">
						{each.slips.map((slip) => (
							<Slip key={slip.id} of={slip}>
								{!one && (
									<button type="button" onClick={() => void (canShare ? share(slip) : copy([slip], textOf(slip)))}>
										{verbFor(taken.has(slip.id))}
									</button>
								)}
							</Slip>
						))}
					</div>
				</section>
			))}
			<SlipCode />
			<SlipSheets stores={printed} />
		</Modal>
	);
}

function verbFor(isTaken: boolean): string {
	if (canShare) return isTaken ? '已发送' : '发送';
	return isTaken ? '已复制' : '复制';
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
