import { useMutation } from '@tanstack/react-query';
import { Button, Radio } from 'antd';
import { type DragEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { columnsWith, headingOf } from '../../features/files/columns.ts';
import type { AskedMode, ImportMode } from '../../features/files/layout.ts';
import { maxImportLines, maxImportMebibytes } from '../../platform/vocabulary/limits.ts';
import { asRefusal } from '../api/refusal.ts';
import { saveFile } from '../api/save-file.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { Working } from '../forms/working.tsx';
import { PageHead } from '../page/page-head.tsx';
import { type ImportFindings, type ImportKind, importFile, type ReadFile } from './import-kind.ts';
import { ImportOutcome, outcomeIn } from './import-outcome.tsx';
import { useShowSlips } from './slips.tsx';
import { UndoButton, useSayDone } from './undo-button.tsx';

const modeOptions: { value: ImportMode; label: string }[] = [
	{ value: 'add', label: '只新增' },
	{ value: 'upsert', label: '新增并更新' },
	{ value: 'update', label: '只更新' },
];

/** @param mode undefined until a file decides it. */
function explanationOf({ noun, columns, otherHeadings, matching }: ImportKind, mode: ImportMode | undefined): string {
	const required = columnsWith(columns, 'required');
	const optional = Object.keys(columns).filter((column) => column !== 'id' && !required.includes(column));
	const titlesOf = (listed: readonly string[]) => listed.map((column) => headingOf(columns, column)).join('、');
	const needed = `${mode === 'upsert' ? '新增时表格' : '表格'}须有${titlesOf(required)}，还可以有${titlesOf(optional)}；`;
	return [
		mode === 'update' ? '' : `${needed}${otherHeadings}`,
		mode ? '' : `表格有编号列（如导出的文件）时，还会修改已有的${noun}。`,
		mode === 'upsert' || mode === 'update' ? matching : '',
		`一次最多 ${maxImportLines.toLocaleString('zh-CN')} 行、${maxImportMebibytes} MB。选择后先检查，不会保存任何内容。`,
	].join('');
}

function sizeOf({ size }: File): string {
	return size < 2 ** 20 ? `${Math.ceil(size / 2 ** 10)} KB` : `${(size / 2 ** 20).toFixed(1)} MB`;
}

/** A file that was checked: exactly these bytes are imported. */
interface Checked {
	file: File;
	read: ReadFile;
	result: ImportFindings;
}

async function checkFile(file: File, kind: ImportKind, mode: AskedMode): Promise<Checked> {
	if (file.size > maxImportMebibytes * 2 ** 20) throw new Error(`文件不能超过 ${maxImportMebibytes} MB`);
	const bytes = await file.arrayBuffer().catch(() => {
		throw new Error('文件无法读取，请重新选择');
	});
	const read = { kind, mode, name: file.name, bytes };
	return { file, read, result: await importFile(read, true) };
}

/** Whether a file still holds what was checked; browsers refuse to read one that was saved again. */
async function isUnchanged({ file, read }: Checked): Promise<boolean> {
	const now = new Uint8Array(await file.arrayBuffer().catch(() => new ArrayBuffer()));
	const before = new Uint8Array(read.bytes);
	return now.length === before.length && now.every((byte, index) => byte === before[index]);
}

/** Creates and changes many from a spreadsheet: problems and changes are shown by line before anything is kept. */
export function ImportPage({ kind }: { kind: ImportKind }) {
	const [, navigate] = useLocation();
	const say = useSayDone();
	const showSlips = useShowSlips();
	const [file, setFile] = useState<File>();
	// The file decides, until somebody does.
	const [asked, setMode] = useState<AskedMode>('auto');
	const check = useMutation({
		mutationFn: (chosen: { file: File; mode: AskedMode }) => checkFile(chosen.file, kind, chosen.mode),
	});
	const keep = useMutation({
		async mutationFn({ restore, ...checked }: Checked & Pick<ReadFile, 'restore'>) {
			if (await isUnchanged(checked)) return await importFile({ ...checked.read, ...(restore && { restore }) }, false);
			check.reset();
			throw new Error('文件在检查之后被修改过，请重新选择');
		},
		onSuccess(result) {
			const { groupId, created, updated, restored = 0 } = result;
			const count = created + updated + restored;
			say(`已${outcomeIn(result, kind)}`, groupId && <UndoButton groupId={groupId} count={count} />);
			navigate(`/${kind.path}`);
			showSlips(result.passwords ?? []);
		},
		onError(error, checked) {
			// The check is out of date: a colleague changed something first.
			if (asRefusal(error).status === 400) choose(checked.file, checked.read.mode);
		},
	});
	const template = useMutation({
		mutationFn: () => saveFile(`api/${kind.path}/import/template`, `${kind.noun}导入模板.xlsx`),
	});
	const mode = check.data?.result.mode ?? (asked === 'auto' ? undefined : asked);
	// A file that only adds, and may, needs no other way.
	const isPlain = check.data?.result.mode === 'add' && check.data.result.problemTotal === 0;
	const offersModes = asked !== 'auto' || check.error !== null || (mode !== undefined && !isPlain);
	const error = keep.error ?? check.error ?? template.error;
	function choose(chosen: File | undefined, chosenMode: AskedMode) {
		keep.reset();
		setFile(chosen);
		setMode(chosenMode);
		if (chosen) check.mutate({ file: chosen, mode: chosenMode });
	}
	return (
		<>
			<PageHead back={{ href: `/${kind.path}`, title: `${kind.noun}管理` }} title={`导入${kind.noun}`}>
				<Button loading={template.isPending} onClick={() => template.mutate()}>
					下载模板
				</Button>
			</PageHead>
			<section className="panel">
				<FileBox name={file?.name} onChoose={(chosen) => !keep.isPending && choose(chosen, asked)} />
				{offersModes && (
					<Radio.Group
						aria-label="导入方式"
						optionType="button"
						options={modeOptions}
						value={mode ?? null}
						disabled={keep.isPending}
						onChange={({ target }) => choose(file, target.value)}
					/>
				)}
				{(!file || offersModes) && <p>{explanationOf(kind, mode)}</p>}
				{file && check.isPending && (
					<Working>
						正在上传并检查“{file.name}”（{sizeOf(file)}），请稍候…
					</Working>
				)}
				{check.data && keep.isPending && (
					<Working>
						正在导入 {check.data.result.lines.toLocaleString('zh-CN')} {kind.unit}，请不要关闭页面。
					</Working>
				)}
				<RefusalAlert refusal={error ? asRefusal(error) : undefined} />
				{check.data && (
					<ImportOutcome
						key={check.submittedAt}
						{...check.data}
						isPending={keep.isPending}
						onKeep={(restore) => keep.mutate({ ...check.data, restore })}
					/>
				)}
			</section>
		</>
	);
}

/** Where a file is chosen, or dropped anywhere. */
function FileBox({ name, onChoose }: { name: string | undefined; onChoose(file: File): void }) {
	const [isOver, setOver] = useState(false);
	function take(files: FileList | null) {
		if (files?.[0]) onChoose(files[0]);
	}
	function drag(event: DragEvent, over: boolean) {
		// Without it, the browser opens the file instead of the page.
		event.preventDefault();
		setOver(over);
	}
	return (
		<label
			className={isOver ? 'file is-over' : 'file'}
			onDragOver={(event) => drag(event, true)}
			onDragLeave={(event) => drag(event, false)}
			onDrop={(event) => {
				drag(event, false);
				take(event.dataTransfer.files);
			}}
		>
			<span>选择文件</span>
			<input
				type="file"
				accept=".xlsx,.csv"
				// The same file can be chosen again after it was corrected.
				onClick={(event) => {
					event.currentTarget.value = '';
				}}
				onChange={(event) => take(event.target.files)}
			/>
			<span className="absent">
				{name ?? 'XLSX、CSV'}
				{/* Nothing can be dropped on a phone. */}
				{!name && <span className="for-wide">，也可以拖到这里</span>}
			</span>
		</label>
	);
}
