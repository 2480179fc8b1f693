import { createContext, type ReactNode, useContext, useState } from 'react';

interface Opened {
	isOpen: boolean;
	onClose(): void;
	/** When it has disappeared. */
	onClosed(): void;
}

const OpenedContext = createContext<Opened | undefined>(undefined);

/** Whether the form around is open, and how it closes. @throws Error outside an Opening */
export function useOpened(): Opened {
	const opened = useContext(OpenedContext);
	if (!opened) throw new Error('useOpened is for what is inside an Opening');
	return opened;
}

interface Props extends Omit<Opened, 'onClosed'> {
	children: ReactNode;
}

/** A form from when it opens until it has disappeared: each time it is a fresh one. */
export function Opening({ isOpen, onClose, children }: Props) {
	const [isThere, setThere] = useState(isOpen);
	if (isOpen && !isThere) setThere(true);
	if (!isThere) return null;
	return <OpenedContext value={{ isOpen, onClose, onClosed: () => setThere(false) }}>{children}</OpenedContext>;
}
