import { Button, Modal } from 'antd';
import { useState } from 'react';
import { lossQuestion, useDiscard } from '../forms/discard.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { useCopy } from '../page/use-copy.ts';

interface Props {
	title: string;
	/** The word for the secret in the sentences of the dialog. */
	noun: '密钥' | '密码';
	secret: string;
	/** A sentence about what the secret allows, for its recipient. */
	advice: string;
	/** A sentence about getting another secret. */
	remedy: string;
}

/** Shows a secret once. It is kept nowhere. */
export function SecretDialog({ title, noun, secret, advice, remedy }: Props) {
	const [isTaken, setTaken] = useState(false);
	const copy = useCopy();
	const close = useDiscard({ isChanged: () => !isTaken, question: lossQuestion(`${noun}还没有复制`, remedy) });
	return (
		<Modal
			open
			onCancel={close}
			mask={{ closable: false }}
			title={title}
			footer={
				<>
					<Button onClick={close}>关闭</Button>
					<Button autoFocus type="primary" onClick={() => void copy(secret).then((copied) => copied && setTaken(true))}>
						{isTaken ? '已复制' : '复制'}
					</Button>
				</>
			}
		>
			<Notice type="warning">{`${noun}只显示这一次：请现在复制，${advice}`}</Notice>
			<code className="key" translate="no">
				{secret}
			</code>
		</Modal>
	);
}
