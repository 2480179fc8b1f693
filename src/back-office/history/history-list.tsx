import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ShownRecord } from '../../identity/history/model.ts';
import { type Reference, type Sentence, sentenceOf } from '../../identity/history/sentence.ts';
import { canSeeEmployees, type Own, rolesTitle, useOwn } from '../account/own.ts';
import { api, type Page } from '../api/client.ts';
import { steadyQueryOf } from '../api/things.ts';
import { showTime } from '../api/time.ts';
import { UndoButton } from '../employees/undo-button.tsx';
import { dayOf, todayHere } from '../page/day.ts';
import { Listing } from '../page/listing.tsx';
import type { Search } from '../page/search.ts';
import { numberOf } from '../page/texts.tsx';

type Filter = NonNullable<NonNullable<Parameters<typeof api.history.get>[0]>['query']>;

/** One page of the records that match a filter, one of each request, unless the filter asks for those of one. */
export function records(filter: Filter) {
	const query = { ...filter, grouped: filter.groupId === undefined };
	return steadyQueryOf(['history', query], () => api.history.get({ query }));
}

interface Props {
	query: UseQueryResult<Page<ShownRecord>>;
	filter: Pick<Filter, 'groupId' | 'targetId'>;
	hrefOf(record: ShownRecord): string;
	search?: Search;
}

/** Records as sentences, by day: all of them, or those of one person. The opened record shows its exact time and its origin. */
export function HistoryList({ query, filter: { groupId, targetId }, hrefOf, search }: Props) {
	// In a list about one person, store or role, no record represents others.
	const isLeader = ({ id, group }: ShownRecord) => id === group.id && groupId === undefined && targetId === undefined;
	return (
		<Listing<ShownRecord>
			label="操作记录"
			query={{ ...query, data: query.data && { ...query.data, items: withSignInsFolded(query.data.items) } }}
			sectionOf={({ at }) => dayWord(dayOf(at))}
			columns={[
				{
					title: '内容',
					render: (record) => (
						<>
							<SentenceOf record={record} asGroup={isLeader(record)} /> {isLeader(record) && <Undo record={record} />}
							{groupId === undefined && record.group.size > 1 && !isLeader(record) && <GroupLink of={record.group} />}
						</>
					),
				},
				{
					title: '时间',
					render: (record) => (
						<Link href={hrefOf(record)} className="row-link">
							<time dateTime={record.at} className="time">
								{showTime(record.at).slice(11)}
							</time>
						</Link>
					),
					width: 88,
				},
			]}
			empty="还没有操作记录"
			search={search}
		/>
	);
}

/** Consecutive sign-ins of an account on one day become one record: the latest, with their number. */
function withSignInsFolded(records: readonly ShownRecord[]): ShownRecord[] {
	const keyOf = ({ id, at, action, actorType, actorId, changes }: ShownRecord) =>
		action === 'SIGN_IN' && changes.length === 0 ? `${dayOf(at)} ${actorType} ${actorId}` : `${id}`;
	const folded: ShownRecord[] = [];
	for (const record of records) {
		const latest = folded.at(-1);
		if (!latest || keyOf(latest) !== keyOf(record)) folded.push(record);
		else folded.splice(-1, 1, { ...latest, count: latest.count + record.count });
	}
	return folded;
}

/** A link to all records of a request. */
export function GroupLink({ of: { id, size } }: { of: ShownRecord['group'] }) {
	return (
		<Link href={`/history?groupId=${id}`} className="in-text">
			同一次操作共 {numberOf(size)} 条
		</Link>
	);
}

/** The undo button of a request's changes to employees or a store, as long as they can be undone. */
export function Undo({ record: { targetType, actorType, actorId, group } }: { record: ShownRecord }) {
	const { user, can } = useOwn();
	const isAllowed = can('*') || (actorType === user.accountType && actorId === user.id);
	if (group.undoUntil === null || Date.parse(group.undoUntil) < Date.now() || !isAllowed) return null;
	// A closing and an import have one record of their own, which is about no employee.
	const count = group.size - group.ended - Number(targetType !== 'EMPLOYEE');
	return <UndoButton size="small" groupId={group.id} count={count} isClosing={targetType === 'STORE'} />;
}

function dayWord(day: string): string {
	if (day === todayHere()) return '今天';
	return day === todayHere(1) ? '昨天' : day;
}

/** The pages of each kind of things, and the accounts that may open them. */
const pagesOf: Record<Reference['type'], { path: string; isOpenTo(own: Own): boolean }> = {
	EMPLOYEE: { path: '/employees', isOpenTo: canSeeEmployees },
	STORE: { path: '/stores', isOpenTo: ({ can }) => can('store:view') },
	ROLE: { path: '/roles', isOpenTo: (own) => rolesTitle(own) !== undefined },
};

/** A sentence with links to people, stores and roles that still exist and that the account may see. */
export function Linked({ parts }: { parts: Sentence }) {
	const own = useOwn();
	let start = 0;
	return parts.map((part) => {
		const text = typeof part === 'string' ? part : part.text;
		const key = `${start} ${text}`;
		start += text.length;
		if (typeof part === 'string' || !pagesOf[part.type].isOpenTo(own)) return <span key={key}>{text}</span>;
		return (
			<Link key={key} href={`${pagesOf[part.type].path}/${part.id}`} className="in-text">
				{part.text}
			</Link>
		);
	});
}

/** A record as a sentence. @param asGroup whether it represents all records of its request. */
export function SentenceOf({ record, asGroup = false }: { record: ShownRecord; asGroup?: boolean }) {
	return (
		<span className="sentence">
			<Linked parts={sentenceOf(record, { asGroup })} />
		</span>
	);
}
