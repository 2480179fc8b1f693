import { Button, Input, Select, type SelectProps } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { passesOnFocus } from './focus.ts';
import { type Option, toOptions, useNameSearch } from './name-search.tsx';
import { useIsPhone } from './screen.ts';
import { useSearch } from './search.ts';

/** The search of a list, then its filters, which a phone hides behind a button. `label` says what is searched. */
export function SearchAndFilters({ label, children }: { label: string; children: ReactNode }) {
	const isPhone = useIsPhone();
	const [isOpen, setOpen] = useState(false);
	const names = useSearch().filters.filter((name) => name !== 'keyword');
	// A kind and an id, such as actorType and actorId, are one filter.
	const active = new Set(names.map((name) => name.replace(/(Type|Id)$/, ''))).size;
	return (
		<search className="line filters">
			<KeywordFilter label={label} />
			{isPhone && (
				<Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
					筛选{active > 0 && `（${active}）`}
				</Button>
			)}
			{(!isPhone || isOpen) && children}
		</search>
	);
}

/** A search field. Its text is applied 0.3 seconds after the last key. */
function KeywordFilter({ label }: { label: string }) {
	const search = useSearch();
	const applied = search.get('keyword') ?? '';
	const [text, setText] = useState(applied);
	// While an input method composes a word, the field holds pinyin, which must not be searched.
	const [isComposing, setComposing] = useState(false);
	// The browser's back button changes the address, too. A space at the end is only in the field.
	useEffect(() => setText((typed) => (typed.trim() === applied ? typed : applied)), [applied]);
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

/** A value of a filter, such as a store. */
export interface FilterOption {
	id: number | string;
	name: string;
}

interface FilterSelectProps extends Omit<SelectProps<FilterOption['id'], Option>, 'options'> {
	label: string;
	options: readonly FilterOption[];
}

/** A select above a list. */
export function FilterSelect({ label, options, ...props }: FilterSelectProps) {
	const texts = { 'aria-label': label, placeholder: label };
	return <Select allowClear {...texts} className="filter-choice" options={toOptions(options)} {...props} />;
}

interface ChoiceProps {
	/** Its name in the address. */
	name: string;
	label: string;
	/** Undefined while they are not known. */
	options: readonly FilterOption[] | undefined;
	/** Called on opening, to load options that are not loaded yet. */
	onOpen?(): void;
	loading?: boolean;
}

/** A filter for one of several values, or all. */
export function ChoiceFilter({ name, label, options: offered, onOpen, loading = false }: ChoiceProps) {
	const search = useSearch();
	// An id in the address is shown even if it is not among the options.
	const applied = search.integer(name);
	const isUnknown = applied !== undefined && !loading && !offered?.some(({ id }) => id === applied);
	const options = isUnknown ? [...(offered ?? []), { id: applied, name: `编号 ${applied}` }] : (offered ?? []);
	const { showSearch, notFoundContent } = useNameSearch(offered && options);
	// Options that load on opening can be many, and an open list keeps its width.
	const isLong = onOpen !== undefined || options.length > 100;
	return (
		<FilterSelect
			label={label}
			// With a width, only the visible options are drawn.
			popupMatchSelectWidth={isLong && 280}
			showSearch={(isLong || options.length > 10) && showSearch}
			notFoundContent={loading ? '正在加载…' : notFoundContent}
			onOpenChange={(isOpen) => isOpen && onOpen?.()}
			value={options.find(({ id }) => `${id}` === search.get(name))?.id ?? null}
			options={options}
			onChange={(id = '') => search.set({ [name]: `${id}` })}
		/>
	);
}

/** A filter that only links set: a button that removes its values from the address. */
export function LinkedFilter({ names, children }: { names: readonly string[]; children: string }) {
	const search = useSearch();
	return (
		<span ref={passesOnFocus}>
			<Button onClick={() => search.set(Object.fromEntries(names.map((name) => [name, undefined])))}>
				只看{children} ×
			</Button>
		</span>
	);
}

/** The options of a record of labels. */
export const labelOptions = (labels: Readonly<Record<string, string>>) =>
	Object.entries(labels).map(([id, name]) => ({ id, name }));
