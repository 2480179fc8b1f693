import { useMutation } from '@tanstack/react-query';
import { App, Button, Dropdown } from 'antd';
import { asRefusal } from '../api/refusal.ts';
import { saveFile } from '../api/save-file.ts';
import { Working } from '../forms/working.tsx';
import type { Search } from '../page/search.ts';
import { employeeFilter } from './employee-queries.ts';

const mebibyte = 2 ** 20;

/** Downloads the employees that the list shows, on all of its pages. */
export function ExportButton({ search }: { search: Search }) {
	const { message } = App.useApp();
	const { mutate, isPending } = useMutation({
		async mutationFn(format: 'xlsx' | 'csv') {
			const query = new URLSearchParams({ ...employeeFilter(search), format });
			let shown = -1;
			await saveFile(`api/employees/export?${query}`, `employees.${format}`, (bytes) => {
				const received = Math.floor(bytes / mebibyte);
				if (received === shown) return;
				shown = received;
				say(received === 0 ? '正在导出…' : `正在导出，已接收 ${received} MB…`);
			});
		},
		onMutate: () => say('正在导出…'),
		onSuccess: (_, format) => void message.success({ key: 'export', content: `已导出 employees.${format}` }),
		onError: (error) => void message.error({ key: 'export', content: asRefusal(error).message }),
	});
	/** Says how far it is until it is over. */
	function say(text: string) {
		void message.open({ key: 'export', duration: 0, content: <Working>{text}</Working> });
	}
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
