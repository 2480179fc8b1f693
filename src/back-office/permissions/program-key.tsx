import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useDiscard } from '../forms/discard.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { useCopy } from '../page/use-copy.ts';
import type { KeyedProgram } from './program-queries.ts';

const question = {
	title: '密钥还没有复制，确定关闭？',
	content: '关闭后不能再次查看，只能生成新密钥。',
	okText: '关闭',
	cancelText: '返回',
};

/** The key of a program, which is shown once and kept nowhere. */
export function KeyDialog({ program: { name, key = '' }, onClose }: { program: KeyedProgram; onClose(): void }) {
	const [isTaken, setTaken] = useState(false);
	const copy = useCopy();
	const close = useDiscard({ isOpen: true, isChanged: () => !isTaken, onClose, question });
	return (
		<Modal
			open
			onCancel={close}
			mask={{ closable: false }}
			title={`“${name}”的密钥`}
			footer={
				<>
					<Button onClick={close}>关闭</Button>
					<Button type="primary" onClick={() => void copy(key).then((copied) => copied && setTaken(true))}>
						{isTaken ? '已复制' : '复制'}
					</Button>
				</>
			}
		>
			<Notice type="warning">密钥只显示这一次：请现在复制，保存到该程序的设置中。谁有密钥，谁就有该程序的权限。</Notice>
			<code className="key" translate="no">
				{key}
			</code>
		</Modal>
	);
}
