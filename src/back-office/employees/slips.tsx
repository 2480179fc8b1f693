/** Passwords that are shown once: on the screen, copied, on paper. Nothing of them is kept. */
import { Alert, App, Button, Modal } from 'antd';
import { createContext, type ReactNode, useContext, useState } from 'react';
import type { GivenPassword } from '../../employees/model.ts';
import { ownPageUrl } from '../api/base.ts';
import { chainName } from '../api/chain.ts';
import { showTime } from '../api/time.ts';
import { useDiscard } from '../forms/discard.ts';
import { copyText } from '../page/copy.ts';
import { people } from '../page/texts.tsx';
import { Slip, SlipCode, SlipSheet } from './slip.tsx';

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

function SlipsDialog({ slips, onClose }: { slips: readonly GivenPassword[]; onClose(): void }) {
	const { message } = App.useApp();
	const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
	const close = useDiscard({ isOpen: true, isChanged: () => taken.size < slips.length, onClose, question });
	const take = (some: readonly GivenPassword[]) => setTaken(new Set([...taken, ...some.map(({ id }) => id)]));
	async function copy(some: readonly GivenPassword[], text: string) {
		if (!(await copyText(text))) return void message.error('复制失败，请手动选择文字');
		take(some);
		void message.success('已复制');
	}
	const [only, ...others] = slips;
	const isOne = others.length === 0;
	return (
		<Modal
			open
			onCancel={close}
			mask={{ closable: false }}
			width={isOne ? 480 : 840}
			title={isOne ? `${only?.name} 的一次性密码` : `${people(slips.length)}的一次性密码`}
			footer={
				<>
					<Button onClick={close}>关闭</Button>
					<Button onClick={() => void copy(slips, only && isOne ? textOf(only) : tableOf(slips))}>
						{isOne ? '复制' : '全部复制'}
					</Button>
					<Button
						type="primary"
						onClick={() => {
							window.print();
							take(slips);
						}}
					>
						打印
					</Button>
				</>
			}
		>
			<Alert
				type="warning"
				showIcon
				className="refusal"
				title="密码只显示这一次"
				description="请现在复制或打印，交给本人。首次登录后须设置自己的密码。"
			/>
			<div className="slips">
				{slips.map((slip) => (
					<Slip key={slip.id} of={slip}>
						{!isOne && (
							<button type="button" onClick={() => void copy([slip], textOf(slip))}>
								{taken.has(slip.id) ? '已复制' : '复制'}
							</button>
						)}
					</Slip>
				))}
			</div>
			<SlipCode />
			<SlipSheet slips={slips} />
		</Modal>
	);
}

/** What is sent to somebody. */
function textOf({ name, phone, password, expiresAt }: GivenPassword): string {
	return [
		`${name}，您${chainName ? `在“${chainName}”` : ''}的登录信息：`,
		`网址：${ownPageUrl}`,
		`手机号：${phone}`,
		`一次性密码：${password}（有效期至 ${showTime(expiresAt)}）`,
		'首次登录后请设置自己的密码。',
	].join('\n');
}

/** What is pasted into a spreadsheet. */
function tableOf(slips: readonly GivenPassword[]): string {
	const rows = slips.map(({ name, storeName, phone, password, expiresAt }) => [
		name,
		storeName,
		phone,
		password,
		showTime(expiresAt),
	]);
	return [['姓名', '门店', '手机号', '一次性密码', '有效期至'], ...rows].map((row) => row.join('\t')).join('\n');
}
