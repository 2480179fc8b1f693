/** Searches the options of a picker by a part of a name, by pinyin or by initials, as the lists do. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Select, type SelectProps } from 'antd';
import { useMemo, useState } from 'react';
import { parseLetters, searchByName } from '../../platform/vocabulary/search-terms.ts';
import { answer, api } from '../api/client.ts';

function readingsOf(characters: string) {
	// The service reads at most 500 characters at once.
	const parts = characters.match(/.{1,500}/gu) ?? [];
	return queryOptions({
		queryKey: ['pinyin', characters],
		async queryFn() {
			const readings = await Promise.all(parts.map((text) => answer(api.pinyin.get({ query: { text } }))));
			return new Map(readings.flat().map(({ character, reading }) => [character, reading]));
		},
		staleTime: Number.POSITIVE_INFINITY,
	});
}

const noOptions: readonly { name: string }[] = [];
const none: ReadonlyMap<string, string> = new Map();

/** The search of a picker; its options are undefined while they are not known. The readings are loaded when letters are typed. */
export function useNameSearch(known: readonly { name: string }[] | undefined) {
	const options = known ?? noOptions;
	const [text, setText] = useState('');
	const isTyped = parseLetters(text) !== undefined;
	const characters = useMemo(() => {
		const names = isTyped ? options.map(({ name }) => name) : [];
		return Array.from(new Set(names.join('').match(/\p{Script=Han}/gu))).join('');
	}, [isTyped, options]);
	const { data: readings = none, isFetching } = useQuery({
		...readingsOf(characters),
		enabled: characters !== '',
	});
	const found = useMemo(() => {
		const matches = searchByName(
			options,
			({ name }) => [name],
			{ search: text.trim() || undefined },
			() => readings,
		);
		return new Set(matches.map(({ name }) => name));
	}, [options, text, readings]);
	const foundNone = isFetching ? '正在搜索…' : '没有符合条件的选项';
	return {
		showSearch: {
			onSearch: setText,
			filterOption: (_: string, option?: Option) => option !== undefined && found.has(option.label),
		},
		notFoundContent: known ? foundNone : '选项尚未加载',
	};
}

/** An option of a select. */
export interface Option<Id = number | string> {
	value: Id;
	label: string;
}

/** The options for what can be chosen. With `fieldNames` instead, an open list would not begin at the chosen option. */
export function toOptions<Id>(choices: readonly { id: Id; name: string }[] = []): Option<Id>[] {
	return choices.map(({ id, name }) => ({ value: id, label: name }));
}

interface ChoiceSelectProps<Value> extends Omit<SelectProps<Value, Option<number>>, 'options'> {
	options: readonly { id: number; name: string }[] | undefined;
}

/** A select for one or several stores or roles, which finds them by name. */
export function ChoiceSelect<Value>({ options, ...props }: ChoiceSelectProps<Value>) {
	const [isOpen, setOpen] = useState(false);
	return (
		<Select
			options={toOptions(options)}
			{...useNameSearch(options)}
			{...props}
			open={isOpen}
			onOpenChange={setOpen}
			// Ant Design ignores a blur right after a press in the list, and the list would stay open.
			onBlur={() => setOpen(false)}
		/>
	);
}
