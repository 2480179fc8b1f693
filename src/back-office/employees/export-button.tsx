import { useMutation } from '@tanstack/react-query';
import { App, Button, Dropdown } from 'antd';
import { chainName } from '../api/chain.ts';
import { asRefusal } from '../api/refusal.ts';
import { saveFile } from '../api/save-file.ts';
import { Working } from '../forms/working.tsx';
import { useCommand } from '../page/command.ts';
import { today } from '../page/day.ts';

interface Props {
	/** The route of the file, below `api/`. */
	path: 'employees/export' | 'stores/export' | 'history/export';
	title: string;
	/** How many pass the filter; nothing is not exported. */
	total: number | undefined;
	query: Readonly<Record<string, string | number | boolean>>;
	/** The active filter, for the name of the file. */
	words: readonly (string | undefined)[];
}

/** Downloads what passes the filter. */
export function ExportButton({ path, title, total, query: filter, words }: Props) {
	const { message } = App.useApp();
	const { mutate, isPending } = useMutation({
		async mutationFn(format: 'xlsx' | 'csv') {
			const texts = Object.entries({ ...filter, format }).map(([field, value]) => [field, `${value}`]);
			const query = new URLSearchParams(texts);
			// Such as `好邻居_员工_城西店_2026-11-22.xlsx`. The page names its files, because it has the words.
			const name = `${[chainName.get(), title, ...words, today()].filter(Boolean).join('_')}.${format}`;
			await saveFile(`api/${path}?${query}`, name);
			return name;
		},
		onMutate: () => void message.open({ key: 'export', duration: 0, content: <Working>正在导出…</Working> }),
		onSuccess: (name) => void message.success({ key: 'export', content: `已导出 ${name}` }),
		onError: (error) => void message.error({ key: 'export', content: asRefusal(error).message }),
	});
	useCommand(path, () => mutate('xlsx'));
	if (total === 0) return null;
	return (
		<Dropdown
			trigger={['click']}
			menu={{
				items: [
					{ key: 'xlsx', label: '导出为 XLSX', onClick: () => mutate('xlsx') },
					{ key: 'csv', label: '导出为 CSV', onClick: () => mutate('csv') },
				],
			}}
		>
			<Button loading={isPending} aria-haspopup="menu">
				导出
			</Button>
		</Dropdown>
	);
}
