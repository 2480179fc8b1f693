/** Versions of resources. They keep a caller from overwriting changes that they have not seen. */
import type { Context } from 'elysia';
import type { Db } from '../../platform/database/open.ts';
import { success } from '../../platform/http/reply.ts';
import { dayOf } from '../../platform/vocabulary/day.ts';
import { AppError, type ErrorDetail } from '../../platform/vocabulary/errors.ts';
import { actorWords, type HistoryTargetType } from '../../platform/vocabulary/history.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { mentionedIn, pointsIn } from './mentioned.ts';
import type { HistoryRecord } from './model.ts';
import { isEmpty, textOf, valueIn } from './sentence.ts';
import { newestRecords } from './service.ts';

export interface Version {
	/** The kind of target that its records have. */
	type: HistoryTargetType;
	/** The time of the last change: ISO 8601. */
	updatedAt: string;
	/** The editable fields, as the history records them. */
	fields: Readonly<Record<string, unknown>>;
}

/** The `ETag` of a version. */
function entityTag({ updatedAt, fields }: Version): string {
	return `"${Date.parse(updatedAt).toString(36)}-${digest(fields)}"`;
}

/** Lists compare as sets: the order of roles means nothing. */
function digest(fields: Version['fields']): string {
	const inOrder = Object.entries(fields).map(([name, value]) => [
		name,
		Array.isArray(value) ? value.toSorted() : value,
	]);
	const text = JSON.stringify(Object.fromEntries(inOrder));
	return Bun.SHA256.hash(text, 'base64url').slice(0, 20);
}

/** The success envelope with the tag of the version. */
export function tagged<Data>(set: Context['set'], version: Version, data: Data) {
	set.headers.etag = entityTag(version);
	return success(data);
}

/** Makes the function that answers with a thing of one kind and the tag of its version. */
export function taggedBy<Thing>(versionOf: (thing: Thing) => Version) {
	return <Answer extends Thing>(set: Context['set'], thing: Answer) => tagged(set, versionOf(thing), thing);
}

/**
 * The present version of a thing must be one that the caller expects. Call this inside the transaction, before the
 * business rules.
 * @returns the thing.
 * @throws AppError PRECONDITION_FAILED with a detail for each field that differs, or one without a field.
 */
export function requireCurrent<Thing extends { id: number }>(
	db: Db,
	{ expectedTags }: { expectedTags?: readonly string[] | undefined },
	thing: Thing,
	versionOf: (thing: Thing) => Version,
): Thing {
	if (expectedTags === undefined) return thing;
	const present = versionOf(thing);
	if (expectedTags.includes(entityTag(present))) return thing;
	throw modified(differences(db, thing.id, expectedTags, present));
}

/** The refusal of a change to an outdated version. */
export function modified(details: readonly ErrorDetail[]): AppError {
	return new AppError('PRECONDITION_FAILED', because('changed', '内容已被他人修改'), { details });
}

/** The maximum number of records to read for an earlier version. */
const maxRecords = 100;

/**
 * The differences between an expected version and the present one. Undoing the newest records one by one leads back to
 * the expected version; the digest in its tag identifies it.
 */
function differences(db: Db, targetId: number, tags: readonly string[], present: Version): ErrorDetail[] {
	const records = newestRecords(db, { targetType: present.type, targetId }, maxRecords);
	const isExpected = (fields: Version['fields']) => tags.some((tag) => tag.endsWith(`-${digest(fields)}"`));
	const past: Record<string, unknown> = { ...present.fields };
	const lastChange = new Map<string, HistoryRecord>();
	for (const record of records) {
		if (isExpected(past)) break;
		for (const { field, before } of record.changes) {
			if (!(field in past)) continue;
			past[field] = before;
			if (!lastChange.has(field)) lastChange.set(field, record);
		}
	}
	if (!isExpected(past)) return [because('changed', '修改记录已不存在，请核对后再保存')];
	const changed = Array.from(lastChange).filter(([field]) => !Bun.deepEquals(past[field], present.fields[field]));
	if (changed.length === 0) return [otherChange(records[0])];
	return changed.map(([field, record]) => changeOf(field, inWords(db, record, field, present.fields[field]), record));
}

/** The value of a field after its latest change, as a sentence about the change says it; null when it is empty. */
function inWords(db: Db, record: HistoryRecord, field: string, value: unknown): string | null {
	if (isEmpty(value)) return null;
	// Without the blanks of a sentence, as a form has it.
	if (field === 'phone') return String(value);
	const names = { mentioned: mentionedIn(db, [record])(record), ...pointsIn(db, [record])(record) };
	return textOf(valueIn(names, field, value, Number.POSITIVE_INFINITY));
}

/** Describes a change that left no field different, such as another last day of a role. */
function otherChange(newest: HistoryRecord | undefined): ErrorDetail {
	if (!newest) return because('changed', '有其他修改');
	return { ...because('changed', `${authorAndTime(newest)}有其他修改`), ...authorOf(newest) };
}

/** Describes a field's latest change; `value` is null when the field was cleared. */
export function changeOf(field: string, value: string | null, act: Act): ErrorDetail {
	const what = value === null ? '已清空' : `改为“${value}”`;
	return { path: `body.${field}`, ...because('changed', authorAndTime(act) + what), field, ...authorOf(act), value };
}

type Act = Pick<HistoryRecord, 'actorType' | 'actorName' | 'at'>;

/** The author and the time of an act. */
export function authorOf({ actorType, actorName, at }: Act): Required<Pick<ErrorDetail, 'by' | 'at'>> {
	return { by: actorType === 'SYSTEM' ? actorWords.SYSTEM : actorName, at };
}

/** The author and time as text. The time names the zone of the machine, because a reader can be in another. */
export function authorAndTime(act: Act): string {
	const moment = new Date(act.at);
	const [, time, hours, minutes] = /^(\d\d:\d\d):\d\d GMT(.\d\d)(\d\d)/.exec(moment.toTimeString()) ?? [];
	return `${authorOf(act).by} ${dayOf(moment)} ${time} ${hours}:${minutes} `;
}
