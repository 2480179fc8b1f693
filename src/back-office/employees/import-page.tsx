import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { columnsWith, headingOf } from '../../features/files/layout.ts';
import { maxImportLines, maxImportMebibytes } from '../../platform/vocabulary/limits.ts';
import { saveFile } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { RefusalAlert } from '../forms/refusal-alert.tsx';
import { WorkButton, Working } from '../forms/working.tsx';
import { PageHead } from '../page/page-head.tsx';
import { useIsPhone } from '../page/screen.ts';
import { numberOf } from '../page/texts.tsx';
import type { Returning } from './former-people.tsx';
import { type ImportKind, importFile, matchingOf, type ReadFile } from './import-kind.ts';
import { ImportOutcome, type ImportRequest, outcomeIn } from './import-outcome.tsx';
import { useShowSlips } from './slips.tsx';
import { UndoButton, useNotify } from './undo-button.tsx';

/** Explains the form of a file. */
function explanationOf({ noun, columns, otherHeadings }: ImportKind): string {
	const required = columnsWith(columns, 'required');
	const optional = Object.keys(columns).filter((column) => column !== 'id' && !required.includes(column));
	const titlesOf = (listed: readonly string[]) => listed.map((column) => headingOf(columns, column)).join('、');
	return [
		`表格须有${titlesOf(required)}，还可以有${titlesOf(optional)}；${otherHeadings}`,
		`表格有编号列（如导出的文件）时，还会修改已有的${noun}。`,
		`一次最多 ${numberOf(maxImportLines)} 行、${maxImportMebibytes} MB。选择后先检查，不会保存任何内容。`,
	].join('');
}

async function checkFile({ kind, file }: ReadFile) {
	if (file.size > maxImportMebibytes * 2 ** 20) throw new Error(`文件不能超过 ${maxImportMebibytes} MB`);
	const content = await file.arrayBuffer().catch(() => {
		throw new Error('文件无法读取，请重新选择');
	});
	const read = { kind, file: new File([content], file.name) };
	return { read, result: await importFile(read) };
}

/** Checks a file, then imports what was checked. */
function useImport(kind: ImportKind) {
	const notify = useNotify();
	const showSlips = useShowSlips();
	/** The file of the page; undefined once the person has left it. */
	const chosen = useRef<File>(undefined);
	useEffect(
		() => () => {
			chosen.current = undefined;
		},
		[],
	);
	const [decided, setDecided] = useState<Returning['decided']>(new Map());
	const check = useMutation({ mutationFn: checkFile });
	const save = useMutation({
		async mutationFn({ read, prepare, ...decided }: ImportRequest) {
			await prepare();
			return importFile(read, decided);
		},
		onSuccess(result, { read }) {
			const { groupId, created, updated, restored = 0 } = result;
			const count = created + updated + restored;
			// Undone, the lines can be imported again, unless another file has been chosen.
			const imported = chosen.current;
			const restart = () => imported && imported === chosen.current && checkAgain(read.file);
			const undo = groupId && <UndoButton groupId={groupId} count={count} onDone={restart} />;
			notify(`已${outcomeIn(result, kind)}`, undo);
			showSlips(result.passwords ?? []);
		},
		onError(error, { read, restore }) {
			// A colleague changed something after the check, so it is repeated. It would not say why nobody can be restored.
			if (asRefusal(error).status === 400 && restore.length === 0) checkAgain(read.file);
		},
	});
	function checkAgain(file: File) {
		save.reset();
		check.mutate({ kind, file });
	}
	function choose(file: File) {
		chosen.current = file;
		setDecided(new Map());
		checkAgain(file);
	}
	return { check, save, choose, checkAgain, decisions: { decided, setDecided } };
}

/** Imports a spreadsheet. Problems and changes are shown by line before anything is saved. */
export function ImportPage({ kind }: { kind: ImportKind }) {
	const [, navigate] = useLocation();
	const { check, save, choose, checkAgain, decisions } = useImport(kind);
	const file = check.data?.read.file ?? check.variables?.file;
	const result = check.data?.result;
	const error = save.error ?? check.error;
	const refusal = error ? asRefusal(error) : undefined;
	/** Whether the check no longer holds, because a colleague changed something after it. */
	const isOutdated = save.error !== null && refusal?.status === 412;
	// The same file can pass another time. After a check that found it unreadable, it cannot.
	const canCheckAgain = save.error !== null || refusal?.status === 401 || refusal?.isTemporary;
	// If the person has left this page, it leads nowhere.
	const goOn = (_: unknown, { skip }: ImportRequest) => skip.length === 0 && navigate(`/${kind.resource}`);
	return (
		<>
			<PageHead back={{ href: `/${kind.resource}`, title: kind.noun }} title={`导入${kind.noun}`}>
				<WorkButton work={() => saveFile(`api/${kind.resource}/import/template`, `${kind.noun}导入模板.xlsx`)}>
					下载模板
				</WorkButton>
			</PageHead>
			<section className="panel">
				<FileBox name={file?.name} onChoose={(chosen) => save.isPending || choose(chosen)} />
				{!file && <p>{explanationOf(kind)}</p>}
				{result?.mode === 'upsert' && <p className="absent">{matchingOf(kind)}</p>}
				{file && check.isPending && <Working>正在上传并检查“{file.name}”，请稍候…</Working>}
				{result && save.isPending && (
					<Working>{`正在导入 ${numberOf(result.created + result.updated)} ${kind.unit}，请不要关闭页面。`}</Working>
				)}
				{refusal?.status !== 401 && <RefusalAlert refusal={refusal} />}
				{file && canCheckAgain && (
					<Button autoFocus={isOutdated} onClick={() => checkAgain(file)}>
						重新检查
					</Button>
				)}
				{check.data && !isOutdated && (
					<ImportOutcome
						{...check.data}
						{...decisions}
						isPending={save.isPending}
						left={save.data && save.variables.skip}
						onSave={(request) => save.mutate(request, { onSuccess: goOn })}
					/>
				)}
			</section>
		</>
	);
}

/** Takes a file that is chosen, or dropped anywhere: the browser would leave the page for one that misses the box. */
function FileBox({ name, onChoose }: { name: string | undefined; onChoose(file: File): void }) {
	const isPhone = useIsPhone();
	useEffect(() => {
		function take(event: DragEvent) {
			if (!event.dataTransfer?.types.includes('Files')) return;
			event.preventDefault();
			const [file] = event.dataTransfer.files;
			if (event.type === 'drop' && file) onChoose(file);
		}
		const ended = new AbortController();
		for (const kind of ['dragover', 'drop'] as const) document.addEventListener(kind, take, { signal: ended.signal });
		return () => ended.abort();
	}, [onChoose]);
	return (
		<label className="line file">
			<span>
				选择文件
				<input
					type="file"
					className="unseen"
					accept=".xlsx,.csv"
					// Allows choosing the same file again after it was corrected.
					onClick={(event) => {
						event.currentTarget.value = '';
					}}
					onChange={({ target: { files } }) => files?.[0] && onChoose(files[0])}
				/>
			</span>
			<span className="absent">
				{/* Nothing can be dropped on a phone. */}
				{name ?? `XLSX、CSV${isPhone ? '' : '，也可以拖到页面上'}`}
			</span>
		</label>
	);
}
