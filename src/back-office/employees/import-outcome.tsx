import { useMutation } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { headings } from '../../employee-files/columns.ts';
import type { ImportCount, ImportProblemGroup, ImportResult } from '../../employee-files/model.ts';
import { asRefusal } from '../api/refusal.ts';
import { saveContent } from '../api/save-file.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { type Column, Listing } from '../page/listing.tsx';
import { Optional } from '../page/texts.tsx';
import { fileWithProblems, type ReadFile } from './employee-queries.ts';

interface Props {
	read: ReadFile;
	result: ImportResult;
	isPending: boolean;
	onKeep(): void;
}

/** What the check of a file found. */
export function ImportOutcome({ read, result, isPending, onKeep }: Props) {
	const { lines, problemTotal, unreadColumns } = result;
	const count = numberOf(lines);
	const isGood = problemTotal === 0;
	return (
		<>
			<Alert
				type={isGood ? 'success' : 'error'}
				showIcon
				className="refusal"
				title={isGood ? `检查通过：共 ${count} 行，可以导入。` : summaryOf(result)}
			/>
			{unreadColumns.length > 0 && (
				<Alert type="info" showIcon className="refusal" title={`这些列不会导入：${unreadColumns.join('、')}`} />
			)}
			{isGood ? (
				<>
					<div className="import-counts">
						<Counts title="门店" counts={result.stores} unit="家门店" />
						<Counts title="角色" counts={result.roles} unit="个角色" without={result.withoutRole} />
					</div>
					<Button type="primary" loading={isPending} onClick={onKeep}>
						导入 {count} 名员工
					</Button>
				</>
			) : (
				<Problems read={read} groups={result.groups} />
			)}
		</>
	);
}

function summaryOf({ lines, groups, problemTotal }: ImportResult): string {
	const listed = groups.reduce((sum, { count }) => sum + count, 0);
	const shown = listed < problemTotal ? `，以下是其中 ${numberOf(listed)} 处` : '';
	return `共 ${numberOf(lines)} 行，有 ${numberOf(problemTotal)} 处问题${shown}。请修改文件后重新选择。`;
}

const problemColumns: Column<ImportProblemGroup>[] = [
	{ title: '行', render: ({ lines, count }) => linesOf(lines, count), width: 150 },
	{ title: '列', render: ({ column }) => (column === null ? '整行' : headings[column][0]), width: 90 },
	{
		title: '员工',
		render: ({ name, count }) => <Optional text={name !== null && count > 1 ? `${name} 等` : name} />,
		width: 120,
	},
	{ title: '填写内容', render: ({ value }) => <Optional text={value} />, width: 180 },
	{ title: '问题', render: ({ reason }) => reason },
];

function Problems({ read, groups }: Pick<Props, 'read'> & Pick<ImportResult, 'groups'>) {
	const name = `${read.name.replace(/\.\w+$/, '')}-问题.xlsx`;
	const download = useMutation({ mutationFn: async () => saveContent(await fileWithProblems(read), name) });
	return (
		<>
			<RefusalAlert refusal={download.error ? asRefusal(download.error) : undefined} />
			<Button loading={download.isPending} onClick={() => download.mutate()}>
				下载标出问题的文件
			</Button>
			<Listing
				label="问题"
				query={{ data: groups, error: null, isFetching: false, refetch: () => undefined }}
				columns={problemColumns}
				rowKey={({ lines, column, value, reason }) => `${lines[0]?.first} ${column} ${value} ${reason}`}
				empty="没有问题"
			/>
		</>
	);
}

/** How many runs of lines are named. */
const maxRuns = 3;

function linesOf(lines: ImportProblemGroup['lines'], count: number): string {
	const runs = lines.slice(0, maxRuns).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
	return `第 ${runs.join('、')} 行${lines.length > maxRuns ? `等 ${numberOf(count)} 行` : ''}`;
}

/** How many stores or roles are listed by name. */
const maxNamed = 10;

interface CountsProps {
	title: string;
	counts: readonly ImportCount[];
	/** What the others are, with their counter. */
	unit: string;
	/** How many people have none. */
	without?: number;
}

/** How many people come into each store, or get each role. */
function Counts({ title, counts, unit, without = 0 }: CountsProps) {
	const sorted = counts.toSorted((a, b) => b.count - a.count);
	const others = sorted.slice(maxNamed);
	const rows = sorted.slice(0, maxNamed).map(({ id, name, count }) => ({ id, name, count }));
	const rest = others.reduce((sum, { count }) => sum + count, 0);
	if (others.length > 0) rows.push({ id: 0, name: `其他 ${numberOf(others.length)} ${unit}`, count: rest });
	if (without > 0) rows.push({ id: -1, name: '未分配', count: without });
	return (
		<section>
			<h2>{title}</h2>
			<dl>
				{rows.map(({ id, name, count }) => (
					<div key={id}>
						<dt>{name}</dt>
						<dd>{numberOf(count)} 人</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

function numberOf(count: number): string {
	return count.toLocaleString('zh-CN');
}
