import { useMutation } from '@tanstack/react-query';
import { App, Button, Dropdown } from 'antd';
import { sendFile } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { saveFile } from '../api/save-file.ts';
import type { Search } from '../listing/search.ts';
import { employeeFilter } from './employee-queries.ts';

/** Downloads the employees that the list shows, on all of its pages. */
export function ExportButton({ search }: { search: Search }) {
	const { message } = App.useApp();
	const { mutate, isPending } = useMutation({
		async mutationFn(format: 'xlsx' | 'csv') {
			const query = new URLSearchParams({ ...employeeFilter(search), format });
			await saveFile(await sendFile(`api/employees/export?${query}`), `employees.${format}`);
		},
		onError: (error) => void message.error(asRefusal(error).message),
	});
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
