import { SearchOutlined } from '@ant-design/icons';
import { Modal } from 'antd';
import { Fragment, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { openForm } from '../forms/discard.ts';
import { command } from '../page/command.ts';
import { useSettled } from '../page/settled.ts';
import { type Found, useFound, useKnown, useRecent } from './found.ts';
import type { PageLink } from './navigation.tsx';
import { noteOpened } from './recent.ts';

const isMac = navigator.platform.startsWith('Mac');

/** The search of everything: a field in the header, which Ctrl+K opens, too. */
export function Finder({ links }: { links: readonly PageLink[] }) {
	const [isOpen, setOpen] = useState(false);
	const [location] = useLocation();
	useEffect(() => noteOpened(location), [location]);
	useEffect(() => {
		function open(event: globalThis.KeyboardEvent) {
			if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey)) return;
			event.preventDefault();
			// A form that is open is finished first.
			if (!openForm.get() && !document.querySelector('.ant-drawer-open, dialog[open]')) setOpen(true);
		}
		document.addEventListener('keydown', open);
		return () => document.removeEventListener('keydown', open);
	}, []);
	return (
		<>
			<button type="button" className="finder-field" aria-haspopup="dialog" onClick={() => setOpen(true)}>
				<SearchOutlined aria-hidden />
				<span>搜索</span>
				<kbd aria-hidden>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
			</button>
			<Modal
				open={isOpen}
				onCancel={() => setOpen(false)}
				footer={null}
				closable={false}
				destroyOnHidden
				title="搜索员工、门店、角色和功能"
				className="finder"
				style={{ top: 64 }}
			>
				<Search links={links} onClose={() => setOpen(false)} />
			</Modal>
		</>
	);
}

function Search({ links, onClose }: { links: readonly PageLink[]; onClose(): void }) {
	const id = useId();
	const [, navigate] = useLocation();
	const [text, setText] = useState('');
	const [active, setActive] = useState(0);
	const [isEntered, setEntered] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.focus(), []);
	const keyword = useSettled(text.trim());
	const { groups: things, isFetching } = useFound(keyword);
	const recent = useRecent(keyword === '');
	const groups = [recent, ...things, ...useKnown(links, keyword)].filter(({ lines }) => lines.length > 0);
	const lines = groups.flatMap((group) => group.lines);
	const chosen = Math.min(active, lines.length - 1);

	function open({ href, command: wanted, act }: Found) {
		onClose();
		if (href) navigate(href);
		act?.();
		if (wanted) command.set(wanted);
	}

	function onKeyDown(event: KeyboardEvent) {
		// An input method uses these keys itself.
		if (event.nativeEvent.isComposing) return;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step && lines.length > 0) {
			event.preventDefault();
			setActive((chosen + step + lines.length) % lines.length);
		} else if (event.key === 'Enter') {
			event.preventDefault();
			setEntered(true);
		}
	}

	// Enter means what will be found for the whole text, even if it is pressed before that is there.
	const line = lines[chosen];
	const isReady = keyword === text.trim() && !isFetching;
	const openEntered = useEffectEvent(() => {
		setEntered(false);
		if (line) open(line);
	});
	useEffect(() => {
		if (isEntered && isReady) openEntered();
	}, [isEntered, isReady]);

	return (
		<>
			<input
				ref={field}
				type="text"
				role="combobox"
				aria-label="搜索"
				aria-expanded
				aria-controls={id}
				aria-autocomplete="list"
				aria-activedescendant={line && `${id}-${chosen}`}
				placeholder="姓名、拼音、手机号、门店、角色…"
				maxLength={100}
				value={text}
				onChange={(event) => {
					setText(event.target.value);
					setActive(0);
					setEntered(false);
				}}
				onKeyDown={onKeyDown}
			/>
			<div id={id} role="listbox" aria-label="结果">
				{groups.map((group) => (
					<Fragment key={group.title}>
						<div aria-hidden className="finder-kind">
							{group.title}
						</div>
						{group.lines.map((each) => (
							<button
								type="button"
								key={each.key}
								id={`${id}-${lines.indexOf(each)}`}
								role="option"
								tabIndex={-1}
								aria-selected={each === line}
								onClick={() => open(each)}
								ref={(element) => {
									if (each === line) element?.scrollIntoView({ block: 'nearest' });
								}}
							>
								<span>{each.title}</span>
								{each.detail && <small>{each.detail}</small>}
							</button>
						))}
					</Fragment>
				))}
			</div>
			<p role="status" className="finder-none">
				{lines.length === 0 && (isFetching ? '正在搜索…' : '没有找到')}
			</p>
		</>
	);
}
