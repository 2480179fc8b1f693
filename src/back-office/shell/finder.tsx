import { SearchOutlined } from '@ant-design/icons';
import { Modal } from 'antd';
import { Fragment, type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useDiscard } from '../forms/discard.ts';
import { useOpenAbove } from '../forms/opening.tsx';
import { type Found, useFound, useKinds } from './found.tsx';

const isMac = navigator.platform.startsWith('Mac');

/** The search for everything: a field in the header, which Ctrl+K also opens. */
export function Finder() {
	const open = useOpenAbove();
	useEffect(() => {
		function openByKey(event: globalThis.KeyboardEvent) {
			if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey)) return;
			event.preventDefault();
			// A form or a question in front of the page must be closed first. A menu closes.
			if (document.querySelector('.ant-drawer-open, .ant-modal, dialog[open]')) return;
			const menu = document.querySelector<HTMLElement>('.ant-dropdown-open');
			menu?.focus();
			menu?.click();
			open(<FinderDialog />);
		}
		document.addEventListener('keydown', openByKey);
		return () => document.removeEventListener('keydown', openByKey);
	}, [open]);
	return (
		<button type="button" className="finder-field" aria-haspopup="dialog" onClick={() => open(<FinderDialog />)}>
			<SearchOutlined aria-hidden />
			<span>搜索</span>
			<kbd aria-hidden>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
		</button>
	);
}

function FinderDialog() {
	const close = useDiscard();
	const kinds = useKinds().map(({ title }) => title);
	/** Further clicks of a double click on the button come here, beside the dialog, and take the focus. */
	function cancel({ detail }: { detail: number }) {
		if (detail < 2) close();
		else document.querySelector<HTMLElement>('.finder input')?.focus();
	}
	return (
		<Modal
			open
			onCancel={cancel}
			footer={null}
			closable={false}
			title={`搜索${[...kinds, '功能'].join('、')}`}
			className="finder"
			style={{ top: 64 }}
		>
			<Search onClose={close} />
		</Modal>
	);
}

/** Focuses a field when it appears. */
const focus = (field: HTMLElement | null) => field?.focus();

/** The field, which keeps the focus, and the results below it. */
function Search({ onClose }: { onClose(): void }) {
	const id = useId();
	const [, navigate] = useLocation();
	const [text, setText] = useState('');
	const { groups, isFetching, hasFailed, isReady } = useFound(text);
	const lines = groups.flatMap((group) => group.lines);
	const { chosen, onKeyDown } = useChosen(lines, text, isReady, open);

	function open({ href, act }: Found) {
		onClose();
		if (href) navigate(href);
		act?.();
	}

	return (
		<>
			<input
				ref={focus}
				type="text"
				role="combobox"
				aria-label="搜索"
				aria-expanded
				aria-controls={id}
				aria-autocomplete="list"
				aria-activedescendant={chosen && `${id}-chosen`}
				placeholder="名称、拼音、手机号…"
				maxLength={100}
				value={text}
				onChange={({ target }) => setText(target.value)}
				onKeyDown={onKeyDown}
			/>
			<div id={id} role="listbox" aria-label="结果">
				{groups.map(({ title, lines }) => (
					<Fragment key={title}>
						<div aria-hidden className="finder-kind">
							{title}
						</div>
						{lines.map((line) => (
							<button
								type="button"
								key={`${line.href} ${line.title}`}
								id={line === chosen ? `${id}-chosen` : undefined}
								role="option"
								tabIndex={-1}
								aria-selected={line === chosen}
								onClick={() => open(line)}
								ref={(option) => {
									if (line === chosen) option?.scrollIntoView({ block: 'nearest' });
								}}
							>
								<span>{line.title}</span>
								{line.detail && <small>{line.detail}</small>}
							</button>
						))}
					</Fragment>
				))}
			</div>
			<p role="status" className="finder-none">
				{lines.length === 0 && !hasFailed && (isFetching ? '正在搜索…' : '没有找到')}
			</p>
		</>
	);
}

/** The line chosen with the keys, which starts at the first one, and the key handler. */
function useChosen(lines: readonly Found[], text: string, isReady: boolean, open: (line: Found) => void) {
	// A new text starts at its first line.
	const [at, setAt] = useState({ text, index: 0, isEntered: false });
	const { index, isEntered } = at.text === text ? at : { index: 0, isEntered: false };
	const chosen = lines[Math.min(index, lines.length - 1)];
	// Enter opens the result for the whole text, even if it is pressed before the result has arrived.
	const openEntered = useEffectEvent(() => {
		setAt({ text, index, isEntered: false });
		if (chosen) open(chosen);
	});
	useEffect(() => {
		if (isEntered && isReady) openEntered();
	}, [isEntered, isReady]);

	function onKeyDown(event: KeyboardEvent) {
		const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
		// An input method uses these keys itself.
		if (step === undefined || event.nativeEvent.isComposing) return;
		event.preventDefault();
		const next = Math.min(index, lines.length - 1) + step + lines.length;
		setAt({ text, index: lines.length > 0 ? next % lines.length : 0, isEntered: step === 0 });
	}
	return { chosen, onKeyDown };
}
