/** Describes a record of the history in one Chinese sentence. */
import {
	actions,
	actorWords,
	type HistoryAction,
	type HistoryTargetType,
	type MentionedType,
	reasonWords,
	targetWords,
	typeOfField,
} from '../../platform/vocabulary/history.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { type Status, statusVerbs } from '../../platform/vocabulary/status.ts';
import type { Change, ShownRecord } from './model.ts';
import { fieldWord, isOfPermissions, valueWord } from './words.ts';

/** A name that can link to a page of its own. */
export interface Reference {
	type: Exclude<MentionedType, 'AREA'>;
	id: number;
	text: string;
}

/** A sentence in parts: plain text and references. */
export type Sentence = (string | Reference)[];

/** The maximum length of a value in a sentence. */
const maxText = 30;

/** The sentence of a record. @param asGroup whether it describes all records of its request. */
export function sentenceOf(record: ShownRecord, { asGroup = false } = {}): Sentence {
	const said = asGroup && countActions(record) > 1 ? groupSentence(record) : actionSentence(record);
	const parts = [...actorIn(record), ' ', ...said];
	// Remove spaces before punctuation and at the end.
	return parts.filter((part, index) => part !== ' ' || /^[^，：（；]/.test(textOf(parts.slice(index + 1, index + 2))));
}

/** The sentence as a text. */
export function textOf(sentence: Sentence): string {
	return sentence.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** The name of the actor, as a link if the actor has a page. */
export function actorIn(record: ShownRecord): Sentence {
	const { actorType, actorId, actorName } = record;
	if (actorType === 'ANONYMOUS') return ['有人'];
	if (actorType === 'SYSTEM') return [actorWords.SYSTEM];
	if (actorType === 'PROGRAM') return [`${actorWords.PROGRAM}“${actorName}”`];
	if (actorType === 'OPERATOR') return [`服务器运维人员 ${actorName}`];
	return actorType === 'EMPLOYEE' && actorId !== null ? [named(record, 'EMPLOYEE', actorId, actorName)] : [actorName];
}

/** The names and titles that stand for the ids and codes in a record. */
type Names = Pick<ShownRecord, 'mentioned' | 'points'>;

/** A reference, or the text alone when it is deleted or unknown, or has no page. */
function named({ mentioned }: Names, type: HistoryTargetType, id: number, text?: string | null) {
	const found = mentioned.find((each) => each.type === type && each.id === id);
	const shown = text ?? found?.name ?? `编号 ${id}`;
	return found && !found.isDeleted && found.type !== 'AREA' ? { type: found.type, id, text: shown } : shown;
}

/** The target: `李伟`, `门店“城西店”`; with `isNew` `员工 李伟`. */
function targetIn(record: ShownRecord, { isNew = false } = {}): Sentence {
	const { targetType, targetId, targetName } = record;
	if (targetType === null || targetId === null) return [];
	if (targetType === 'ADMINISTRATOR') return [`超级管理员 ${targetName ?? ''}`, ' '];
	// There is only one, and the sentence says its new name.
	if (targetType === 'CHAIN') return [targetWords.CHAIN];
	const name = named(record, targetType, targetId, targetName);
	if (targetType !== 'EMPLOYEE') return [`${targetWords[targetType]}“`, name, '”'];
	return isNew ? ['员工 ', name, ' '] : [' ', name, ' '];
}

/** The placeholders in a sentence that are not the name of a field. `change` is the one that it describes. */
const insertions: Readonly<Record<string, (record: ShownRecord, change: Change) => Sentence>> = {
	target: (record) => targetIn(record),
	new: (record) => targetIn(record, { isNew: true }),
	people: (record) => [' ', `${count(countActions(record))} 人`, ' '],
	word: ({ targetType }, { field }) => [fieldWord(field, targetType)],
	before: (record, { field, before }) => valueIn(record, field, before),
	after: (record, { field, after }) => valueIn(record, field, after),
	added: (record, change) => valueIn(record, change.field, listDifference(change).added),
	removed: (record, change) => valueIn(record, change.field, listDifference(change).removed),
	particulars: newEmployeeDetails,
	changes: changed,
	role: roleGiven,
	code: (record) => {
		const left = afterIn(record, 'recoveryCodesLeft');
		return left === undefined ? [] : [`（使用恢复码，还剩 ${left} 个）`];
	},
	// The device on which a sign-in ended, unless it was the caller's own.
	client: ({ changes: [client] }) => (client ? [`（${client.before ?? '未知设备'}）`] : []),
	approver: (record) =>
		record.targetId === null ? [] : ['（授权人：', ...targetIn(record).filter((part) => part !== ' '), '）'],
	times: (record) => (record.count > 1 ? [` ${count(record.count)} 次`] : []),
	reason: ({ reason }) => [reason ? reasonWords[reason] : '原因不明'],
	export: exported,
	import: imported,
	size: (record) => [count(countActions(record))],
	others: (record) => [count(countActions(record) - 1)],
};

const noChange: Change = { field: '', before: null, after: null };

/** Fills in the braces of a sentence: the insertions, and the values of fields after the change. */
function filled(sentence: string, record: ShownRecord, change = record.changes[0] ?? noChange): Sentence {
	const parts = sentence.split(/[{}]/).flatMap((part, index) => {
		if (index % 2 === 0) return [part];
		return insertions[part]?.(record, change) ?? valueIn(record, part, afterIn(record, part));
	});
	return parts.filter((part) => part !== '');
}

function actionSentence(record: ShownRecord): Sentence {
	// A later version of the program may have written an unknown action.
	return filled(actions[record.action]?.text ?? `${record.action}：{new}`, record);
}

/** Sentences for a group, where the first record alone is not enough. */
const groupSentences: Readonly<Partial<Record<HistoryAction, string>>> = {
	EMPLOYEE_CREATE: '导入了 {size} 名员工',
	EMPLOYEE_ONE_TIME_PASSWORD: '给 {size} 名员工生成了一次性密码',
	AREA_DELETE: '删除了{new}，涉及 {others} 家门店',
	STORE_UPDATE: '关闭了{target}，调走 {others} 名员工',
	STORE_DELETE: '关闭并删除了{target}，调走 {others} 名员工',
	POINT_DELETE: '删除了{target}，从 {others} 个角色或程序收回',
	EMPLOYEE_DELETE: '删除了 {size} 名员工',
	EMPLOYEE_RESTORE: '让 {size} 名已删除的员工返岗',
	EMPLOYEE_UPDATE_UNDO: '撤销了对 {size} 人的更改',
};

function groupSentence(record: ShownRecord): Sentence {
	// An import states its own counts.
	if (record.targetType === null) return actionSentence(record);
	const [first, ...others] = record.changes;
	if (first?.field === 'areaId' && others.length === 0)
		return filled(`把 {size} 家门店${isEmpty(first.after) ? '移出区域' : '归入区域 {areaId}'}`, record);
	const isReopened = record.action === 'STORE_UPDATE' && afterIn(record, 'status') === 'ACTIVE';
	const sentence = isReopened ? '重新启用了{target}，{others} 名员工调回' : groupSentences[record.action];
	if (sentence !== undefined) return filled(sentence, record);
	const together = record.action === 'EMPLOYEE_UPDATE' ? changedTogether(record) : undefined;
	return together ?? [...actionSentence(record), `，等 ${count(countActions(record))} 项`];
}

/** The shared change of many employees; undefined for a change that cannot be shared. */
function changedTogether(record: ShownRecord): Sentence | undefined {
	const [only, ...others] = record.changes;
	if (only === undefined || others.length > 0) return undefined;
	if (only.field === 'storeId') return filled('把{people}调到“{after}”', record);
	const { added, removed } = listDifference(only);
	const isSame = only.field === 'status' || (only.field === 'roleIds' && !added !== !removed);
	return isSame ? filled(sentenceOfChange(only).replace('{target}', '{people}'), record) : undefined;
}

/** The number of records in a group, without those that only revoke reach as a consequence. */
function countActions({ group }: ShownRecord): number {
	return group.size - group.ended;
}

function count(number: number): string {
	return number.toLocaleString('zh-CN');
}

/** A field after the change; undefined when it did not change. */
function afterIn({ changes }: ShownRecord, field: string): unknown {
	return changes.find((change) => change.field === field)?.after;
}

/** A role that an employee got, or its new last day. */
function roleGiven(record: ShownRecord): Sentence {
	const isNew = afterIn(record, 'roleIds') !== undefined;
	const what = isNew ? '给{target}增加了角色 {roleId}' : '设定了{target}的角色 {roleId} 的期限';
	return filled(what + (isEmpty(afterIn(record, 'until')) ? '，不限期' : '，到 {until} 为止'), record);
}

/** The phone, store and roles of a new employee, which distinguish two of the same name. */
function newEmployeeDetails(record: ShownRecord): Sentence {
	const shown = ['phone', 'storeId', 'roleIds'].flatMap((field) => {
		const after = afterIn(record, field);
		return isEmpty(after) ? [] : [valueIn(record, field, after)];
	});
	return shown.length === 0 ? [] : ['（', ...listed('，', shown), '）'];
}

function exported(record: ShownRecord): Sentence {
	const filters = record.changes.filter(({ field }) => field !== 'total' && field !== 'format');
	const shown = filters.map(({ field, after }) => {
		const word = fieldWord(field);
		return after === true ? [word] : [`${word}：`, ...valueIn(record, field, after)];
	});
	const what = `导出了 ${count(Number(afterIn(record, 'total') ?? 0))} 名员工`;
	return shown.length === 0 ? [what] : [`${what}（`, ...listed('，', shown), '）'];
}

function imported({ action, changes }: ShownRecord): Sentence {
	const unit = action === 'STORE_IMPORT' ? '家门店' : '名员工';
	const counts = changes.filter(({ after }) => after !== 0);
	const parts = counts.map(({ field, after }) => `${fieldWord(field)} ${count(Number(after))} ${unit}`);
	return [`用表格${parts.join('，')}`];
}

function changed(record: ShownRecord): Sentence {
	const [only, ...others] = record.changes;
	if (only === undefined) return filled('保存了{target}，没有修改', record);
	if (others.length === 0) return filled(sentenceOfChange(only), record);
	const each = record.changes.map((change) => filled(`{word}${clauseOfChange(change)}`, record, change));
	return [...filled('修改了{target}：', record), ...listed('；', each)];
}

/** The sentence of a record with one change. */
function sentenceOfChange(change: Change): string {
	const { field, after } = change;
	const { added, removed } = listDifference(change);
	if (field === 'status') return `${statusVerbs[after as Status]}{target}`;
	if (field === 'storeId') return '把{target}从“{before}”调到“{after}”';
	if (added && removed) return `修改了{target}的{word}：${clauseOfChange(change)}`;
	if (added) return '给{target}增加了{word} {added}';
	if (removed) return '移除了{target}的{word} {removed}';
	if (isEmpty(after)) return '清空了{target}的{word}（原为“{before}”）';
	return `把{target}的{word}${clauseOfChange(change)}`;
}

/** The change of a field, to follow the field's name. */
function clauseOfChange(change: Change): string {
	const { added, removed } = listDifference(change);
	if (added && removed) return '增加 {added}，移除 {removed}';
	if (added) return '增加 {added}';
	if (removed) return '移除 {removed}';
	if (isEmpty(change.after)) return '清空';
	return isEmpty(change.before) ? '设为“{after}”' : '从“{before}”改为“{after}”';
}

/** The added and removed entries of a list; undefined when there are none or the value is not a list. */
function listDifference({ before, after }: Change): { added?: unknown[] | undefined; removed?: unknown[] | undefined } {
	if (!Array.isArray(before) || !Array.isArray(after)) return {};
	const without = (list: unknown[], others: unknown[]) => list.filter((value) => !others.includes(value));
	const [added, removed] = [without(after, before), without(before, after)];
	return { added: added.length > 0 ? added : undefined, removed: removed.length > 0 ? removed : undefined };
}

/** A value in words; names of stores and roles can be links. */
export function valueIn(names: Names, field: string, value: unknown, length = maxText): Sentence {
	if (Array.isArray(value)) {
		const parts = value.map((each) => valueIn(names, field, each, length));
		return listed('、', parts);
	}
	const type = typeOfField[field];
	if (type && typeof value === 'number') return [named(names, type, value)];
	const [, id, day] = /^(\d+) (\d{4}-\d\d-\d\d)$/.exec(type ? String(value) : '') ?? [];
	if (type && id) return [named(names, type, Number(id)), `（到 ${day} 为止）`];
	if (field === 'phone') return [showPhone(String(value))];
	if (typeof value === 'boolean') return [value ? '是' : '否'];
	const point = names.points?.find(({ code }) => code === value);
	// Words of the program and permission codes have a text; free text stays unchanged.
	const isWord = field === 'status' || isOfPermissions(field);
	const characters = Array.from(isWord ? (point?.title ?? valueWord(value)) : String(value));
	return [characters.length > length ? `${characters.slice(0, length).join('')}…` : characters.join('')];
}

export const isEmpty = (value: unknown) =>
	value == null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether people see a difference. Nothing and an empty list look the same. */
export const isVisible = ({ before, after }: Change): boolean => !isEmpty(before) || !isEmpty(after);

function listed(separator: string, parts: readonly Sentence[]): Sentence {
	return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));
}
