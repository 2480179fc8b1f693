import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button } from 'antd';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { headings, maxLines } from '../../employees/columns.ts';
import type { ImportResult } from '../../employees/model.ts';
import { maxImportMebibytes } from '../../vocabulary/limits.ts';
import { asRefusal } from '../api/refusal.ts';
import { saveFile } from '../api/save-file.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { Working } from '../forms/working.tsx';
import { Listing } from '../page/listing.tsx';
import { PageHead } from '../page/page-head.tsx';
import { importFile } from './employee-queries.ts';

const columnTitles = Object.values(headings)
	.map(([title]) => title)
	.join('、');

function sizeOf({ size }: File): string {
	return size < 2 ** 20 ? `${Math.ceil(size / 2 ** 10)} KiB` : `${(size / 2 ** 20).toFixed(1)} MiB`;
}

/** Creates many employees from a spreadsheet: the problems are shown by line before anything is kept. */
export function ImportPage() {
	const [, navigate] = useLocation();
	const { message } = App.useApp();
	const client = useQueryClient();
	const [file, setFile] = useState<File>();
	const check = useMutation({ mutationFn: (chosen: File) => importFile(chosen, true) });
	const keep = useMutation({
		mutationFn: (chosen: File) => importFile(chosen, false),
		onSuccess({ created }) {
			void client.invalidateQueries();
			void message.success(`已新增 ${created.toLocaleString('zh-CN')} 名员工`);
			navigate('/employees');
		},
	});
	const template = useMutation({
		mutationFn: () => saveFile('api/employees/import/template', 'employees.xlsx'),
	});
	const error = keep.error ?? check.error ?? template.error;
	function choose(chosen: File | undefined) {
		keep.reset();
		check.reset();
		setFile(chosen);
		if (chosen) check.mutate(chosen);
	}
	return (
		<>
			<PageHead back={{ href: '/employees', title: '员工管理' }} title="导入员工">
				<Button loading={template.isPending} onClick={() => template.mutate()}>
					下载模板
				</Button>
			</PageHead>
			<section className="panel">
				<p>
					选择 XLSX 或 CSV 文件，第一行是标题：{columnTitles}。一次最多 {maxLines.toLocaleString('zh-CN')} 行、
					{maxImportMebibytes} MiB。 选择后先检查，不会保存任何内容。
				</p>
				<label className="file">
					<span>选择文件</span>
					<input
						type="file"
						accept=".xlsx,.csv"
						// The same file can be chosen again after it was corrected.
						onClick={(event) => {
							event.currentTarget.value = '';
						}}
						onChange={(event) => choose(event.target.files?.[0])}
					/>
					<span className="absent">{file?.name ?? '尚未选择文件'}</span>
				</label>
				{file && check.isPending && (
					<Working>
						正在上传并检查“{file.name}”（{sizeOf(file)}），请稍候…
					</Working>
				)}
				{check.data && keep.isPending && (
					<Working>正在导入 {check.data.lines.toLocaleString('zh-CN')} 名员工，请不要关闭页面。</Working>
				)}
				<RefusalAlert refusal={error ? asRefusal(error) : undefined} />
				{check.data && file && (
					<Outcome result={check.data} isPending={keep.isPending} onKeep={() => keep.mutate(file)} />
				)}
			</section>
		</>
	);
}

interface OutcomeProps {
	result: ImportResult;
	isPending: boolean;
	onKeep(): void;
}

/** What the check found. */
function Outcome({ result: { lines, problems, problemTotal }, isPending, onKeep }: OutcomeProps) {
	const count = lines.toLocaleString('zh-CN');
	if (problemTotal === 0) {
		return (
			<>
				<Alert type="success" showIcon className="refusal" title={`检查通过：共 ${count} 行，可以导入。`} />
				<Button type="primary" loading={isPending} onClick={onKeep}>
					导入 {count} 名员工
				</Button>
			</>
		);
	}
	const shown = problems.length < problemTotal ? `，以下是前 ${problems.length} 处` : '';
	return (
		<>
			<Alert
				type="error"
				showIcon
				className="refusal"
				title={`共 ${count} 行，有 ${problemTotal.toLocaleString('zh-CN')} 处问题${shown}。请修改文件后重新选择。`}
			/>
			<Listing
				label="问题"
				query={{ data: problems, error: null, isFetching: false, refetch: () => undefined }}
				columns={[
					{ title: '行', render: ({ line }) => `第 ${line} 行`, width: 100 },
					{
						title: '列',
						render: ({ column }) => (column === null ? '整行' : headings[column][0]),
						width: 100,
					},
					{ title: '问题', render: ({ reason }) => reason },
				]}
				rowKey={({ line, column, reason }) => `${line} ${column} ${reason}`}
				empty="没有问题"
			/>
		</>
	);
}
