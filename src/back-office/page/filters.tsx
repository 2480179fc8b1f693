import { Input, Select } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { statuses, statusLabels } from '../../vocabulary/status.ts';
import type { Search } from './search.ts';

/** The bar above a list: filters on the left, the main action on the right. */
export function FilterBar({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
	return (
		<div className="filter-bar">
			<search className="filters">{children}</search>
			<div className="actions">{actions}</div>
		</div>
	);
}

/** A search text; it is applied 0.3 seconds after the last key. */
export function KeywordFilter({ search, label }: { search: Search; label: string }) {
	const applied = search.get('keyword') ?? '';
	const [text, setText] = useState(applied);
	// While an input method composes a word, the field holds pinyin, which must not be searched.
	const [isComposing, setComposing] = useState(false);
	// The browser's back button changes the address, too.
	useEffect(() => setText(applied), [applied]);
	useEffect(() => {
		const wanted = text.trim();
		if (wanted === applied || isComposing) return;
		const timer = setTimeout(() => search.set({ keyword: wanted }), 300);
		return () => clearTimeout(timer);
	}, [text, applied, isComposing, search]);
	return (
		<Input
			type="search"
			allowClear
			maxLength={100}
			aria-label={label}
			placeholder={label}
			value={text}
			onChange={(event) => setText(event.target.value)}
			onCompositionStart={() => setComposing(true)}
			onCompositionEnd={() => setComposing(false)}
			className="filter-keyword"
		/>
	);
}

interface ChoiceProps {
	search: Search;
	name: string;
	label: string;
	options: { value: string; label: string }[];
}

/** One of some values, or all. */
export function ChoiceFilter({ search, name, label, options }: ChoiceProps) {
	return (
		<Select
			allowClear
			aria-label={label}
			placeholder={label}
			className="filter-choice"
			popupMatchSelectWidth={false}
			showSearch={options.length > 10 && { optionFilterProp: 'label' }}
			value={options.some(({ value }) => value === search.get(name)) ? (search.get(name) ?? null) : null}
			options={options}
			onChange={(value: string | undefined) => search.set({ [name]: value })}
		/>
	);
}

export { statusLabels } from '../../vocabulary/status.ts';

export const statusOptions = statuses.map((value) => ({ value, label: statusLabels[value] }));

/** Enabled, disabled, or all. */
export function StatusFilter({ search }: { search: Search }) {
	return <ChoiceFilter search={search} name="status" label="状态" options={statusOptions} />;
}
