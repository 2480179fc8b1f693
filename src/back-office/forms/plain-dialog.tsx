import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { useDiscard } from './discard.ts';
import { useOpened } from './opening.tsx';

/** A small form with fields of the browser, in front of a page. Typed text is not lost without a question. */
export function PlainDialog({ title, children }: { title: string; children(onDone: () => void): ReactNode }) {
	const { isOpen, onClose, onClosed } = useOpened();
	const [isChanged, setChanged] = useState(false);
	const close = useDiscard({ isOpen, isChanged: () => isChanged, onClose });
	const options = { open: isOpen, onCancel: close, afterClose: onClosed, mask: { closable: false } };
	return (
		<Modal title={title} footer={null} width={440} {...options}>
			<div onInput={() => setChanged(true)}>{children(onClose)}</div>
		</Modal>
	);
}
