import { Button } from 'antd';
import type { ImportCount } from '../../features/files/employees/model.ts';
import { headingOf } from '../../features/files/layout.ts';
import type { FieldChange, ProblemGroup } from '../../features/files/model.ts';
import { maxNamedLines } from '../../platform/vocabulary/limits.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { WorkButton } from '../forms/working.tsx';
import { Facts } from '../page/facts.tsx';
import { type Column, Listing } from '../page/listing.tsx';
import { firstOf, numberOf, Optional, people } from '../page/texts.tsx';
import { type Returning, returningOf } from './former-people.tsx';
import { type Decided, type ImportFindings, type ImportKind, type ReadFile, saveFindings } from './import-kind.ts';
import { useLeadQuestion } from './lead-question.tsx';

export interface ImportRequest extends Decided {
	read: ReadFile;
	/** Called before the import. @throws Refusal */
	prepare(): Promise<void>;
}

interface Props extends Returning {
	read: ReadFile;
	result: ImportFindings;
	isPending: boolean;
	/** The remaining lines with problems, after the others were imported. */
	left: readonly number[] | undefined;
	onSave(request: ImportRequest): void;
}

/** The result of a check: the problems of the file, or the effect of its import. */
export function ImportOutcome(props: Props) {
	const { read, result, left } = props;
	const { lines, created, updated, problemTotal, unreadColumns, groups } = result;
	const isGood = problemTotal === 0;
	const skip = linesWithProblem(result);
	const isListed = skip.length <= maxNamedLines && listedIn(result) === problemTotal;
	const problemType = left ? 'warning' : 'error';
	const canImport = !left && isListed && created + updated > 0;
	return (
		<>
			<Notice type={isGood ? 'success' : problemType}>
				{isGood
					? `检查通过：共 ${numberOf(lines)} 行，${outcomeIn(result, read.kind) || '没有要修改的'}。`
					: summaryOf(result, left, canImport)}
			</Notice>
			{unreadColumns.length > 0 && <Notice type="info">这些列不会导入：{unreadColumns.join('、')}</Notice>}
			{!isGood && (
				<>
					<WorkButton work={() => saveFindings(read, '问题', { only: left ?? [] })}>
						{left ? `下载没有导入的 ${numberOf(left.length)} 行` : '下载标出问题的文件'}
					</WorkButton>
					<Listing label="问题" query={{ data: groups }} columns={problemColumns(read.kind)} />
				</>
			)}
			{canImport && <Plan {...props} skip={skip} />}
		</>
	);
}

/** The effect of an import, with its open questions. */
function Plan({ read, result, skip, isPending, onSave, ...decisions }: Props & Pick<Decided, 'skip'>) {
	const { updated, stores = [], roles = [], withoutRole = 0, losingRoles = 0, replaced = 0, version } = result;
	const former = returningOf(result.former ?? [], decisions);
	const lead = useLeadQuestion(roles.map(({ id }) => id));
	return (
		<>
			{replaced > 0 && (
				<Notice type="warning">
					{people(replaced)}的姓名和手机号都会改变{replacedIn(result)}
					。如果是另一个人，请清空这一行的编号，否则会沿用原来的账号和操作记录。
				</Notice>
			)}
			{losingRoles > 0 && (
				<Notice type="warning">{people(losingRoles)}的角色单元格是空白，导入后将没有任何角色。</Notice>
			)}
			<Facts
				items={{
					新员工门店: countsIn(stores),
					新员工角色: countsIn([...roles, { id: 0, name: '没有角色', count: withoutRole }]),
				}}
			/>
			{former.question}
			{lead.question}
			<Button
				type="primary"
				loading={isPending}
				disabled={former.isOpen || lead.isOpen}
				onClick={() => onSave({ read, skip, restore: former.returning, version, prepare: lead.save })}
			>
				{labelOf(result, read.kind)}
			</Button>
			{updated > 0 && (
				<>
					<h2>
						修改 {numberOf(result.changeTotal)} 处{partOf(result.changes.length, result.changeTotal)}
					</h2>
					<WorkButton work={() => saveFindings(read, '修改', { skip })}>下载全部修改</WorkButton>
					<Listing label="修改" query={{ data: result.changes }} columns={changeColumns(read.kind)} />
				</>
			)}
		</>
	);
}

/** The names before and after, as far as the changes are listed: `：第 2 行“林超”改为“李娜”`. */
function replacedIn({ changes }: ImportFindings): string {
	const named = Array.from(Map.groupBy(changes, ({ line }) => line)).flatMap(([line, changed]) => {
		const [name, phone] = ['name', 'phone'].map((column) => changed.find((change) => change.column === column));
		return name && phone ? [`第 ${line} 行“${name.before}”改为“${name.after}”`] : [];
	});
	return named.length > 0 ? `：${firstOf(named, ' 等')}` : '';
}

/** The effect of an import in words: 新增 12 名员工、修改 30 名员工. */
export function outcomeIn({ created, updated, restored = 0 }: ImportFindings, { unit }: ImportKind): string {
	const happening = Object.entries({ 返岗: restored, 新增: created, 修改: updated }).filter(([, count]) => count > 0);
	return happening.map(([verb, count]) => `${verb} ${numberOf(count)} ${unit}`).join('、');
}

function labelOf(result: ImportFindings, kind: ImportKind): string {
	const count = `${numberOf(result.created + result.updated)} ${kind.unit}`;
	if (result.problemTotal > 0) return `导入其余 ${count}`;
	return result.mode === 'add' ? `导入 ${count}` : outcomeIn(result, kind);
}

const listedIn = ({ groups }: ImportFindings) => groups.reduce((sum, { count }) => sum + count, 0);

function linesWithProblem({ groups }: ImportFindings): readonly number[] {
	const runs = groups.flatMap(({ lines }) => lines);
	const all = runs.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
	return Array.from(new Set(all));
}

function summaryOf(result: ImportFindings, left: Props['left'], canImport: boolean): string {
	const { lines, problemTotal } = result;
	if (left) return `其余已导入，这 ${numberOf(left.length)} 行没有导入。请下载、修改后再选择。`;
	const shown = partOf(listedIn(result), problemTotal);
	return `共 ${numberOf(lines)} 行，有 ${numberOf(problemTotal)} 处问题${shown}。请修改文件后重新选择${canImport ? '，或先导入其余行' : ''}。`;
}

/** Says that the answer to a check lists only some findings. The file to download has all. */
function partOf(listed: number, total: number): string {
	return listed < total ? `，以下是其中 ${numberOf(listed)} 处` : '';
}

const problemColumns = ({ noun, columns }: ImportKind): Column<ProblemGroup>[] => [
	{ title: '行', render: ({ lines, count }) => linesOf(lines, count), width: 150 },
	{ title: '列', render: ({ column }) => (column === null ? '整行' : headingOf(columns, column)), width: 90 },
	{
		title: noun,
		render: ({ name, count }) => <Optional text={name !== null && count > 1 ? `${name} 等` : name} />,
		width: 120,
	},
	{ title: '填写内容', render: ({ value }) => <Optional text={value} />, width: 180 },
	{ title: '问题', render: ({ reason }) => reason },
];

const changeColumns = ({ noun, columns }: ImportKind): Column<FieldChange>[] => [
	{ title: noun, render: ({ name }) => name, width: 140 },
	{ title: '行', render: ({ line }) => `第 ${line} 行`, width: 90 },
	{ title: '列', render: ({ column }) => headingOf(columns, column), width: 90 },
	{ title: '修改前', render: ({ before }) => <Optional text={before} /> },
	{ title: '修改后', render: ({ after }) => <Optional text={after} /> },
];

const maxRuns = 3;

function linesOf(lines: ProblemGroup['lines'], count: number): string {
	const runs = lines.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
	return `第 ${firstOf(runs, ` 行等 ${numberOf(count)}`, maxRuns)} 行`;
}

/** The number of new people per store or role: 人民路店 12 人、静安寺店 3 人. */
function countsIn(counts: readonly ImportCount[]): string {
	const sorted = counts.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
	const named = sorted.map(({ name, count }) => `${name} ${numberOf(count)} 人`);
	return firstOf(named, ` 等 ${numberOf(sorted.length)} 项`);
}
