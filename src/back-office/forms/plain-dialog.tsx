import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { useDiscard } from './discard.ts';
import { useOpened } from './opening.tsx';

/** A small form with fields of the browser, in front of a page. Typed text is not lost without a question. */
export function PlainDialog({ title, children }: { title: string; children(onDone: () => void): ReactNode }) {
	const { onClose } = useOpened();
	const [isChanged, setChanged] = useState(false);
	const close = useDiscard({ isChanged: () => isChanged });
	return (
		<Modal open title={title} footer={null} width={440} onCancel={close} mask={{ closable: false }}>
			<div onInput={() => setChanged(true)}>{children(onClose)}</div>
		</Modal>
	);
}
