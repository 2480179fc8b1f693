import { skipToken, useQuery } from '@tanstack/react-query';
import { Drawer } from 'antd';
import type { ShownRecord } from '../../identity/history/model.ts';
import { actorIn, isEmpty, isVisible, valueIn } from '../../identity/history/sentence.ts';
import { fieldWord } from '../../identity/history/words.ts';
import { actorWords } from '../../platform/vocabulary/history.ts';
import { answer, api } from '../api/client.ts';
import { showTime } from '../api/time.ts';
import { Facts, More } from '../page/facts.tsx';
import { Listing } from '../page/listing.tsx';
import { Loaded } from '../page/loaded.tsx';
import { useSheet } from '../page/screen.ts';
import { GroupLink, Linked, SentenceOf, Undo } from './history-list.tsx';

/** A drawer with the record that the address names, if there is one. */
export function RecordDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
	const query = useQuery({
		queryKey: ['history', id],
		queryFn: id === undefined ? skipToken : () => answer(api.history({ id }).get()),
	});
	return (
		<Drawer open={id !== undefined} onClose={onClose} {...useSheet(640)} destroyOnHidden title="操作记录">
			<Loaded query={query}>{(record) => <RecordView record={record} />}</Loaded>
		</Drawer>
	);
}

function RecordView({ record }: { record: ShownRecord }) {
	const standsForMore = record.id === record.group.id && record.group.size > 1;
	return (
		<>
			<h2>
				<SentenceOf record={record} asGroup={standsForMore} />
			</h2>
			<Facts
				items={{
					时间: showTime(record.at, true),
					操作人: (
						<>
							<Linked parts={actorIn(record)} />（{actorWords[record.actorType]}）
						</>
					),
				}}
			/>
			{record.changes.length > 0 && !(standsForMore && record.action === 'EMPLOYEE_CREATE') && (
				<Changes record={record} />
			)}
			<Undo record={record} />
			{record.group.size > 1 && (
				<p>
					<GroupLink of={record.group} />
				</p>
			)}
			<More>
				<Facts
					items={{ 来源地址: record.address ?? '本机', 日志编号: record.requestId && <code>{record.requestId}</code> }}
				/>
			</More>
		</>
	);
}

function Changes({ record }: { record: ShownRecord }) {
	const cell = (field: string, value: unknown) => (
		<span className="multiline">
			{isEmpty(value) ? '—' : <Linked parts={valueIn(record, field, value, Number.POSITIVE_INFINITY)} />}
		</span>
	);
	return (
		<Listing
			label="修改"
			query={{ data: record.changes.filter(isVisible) }}
			columns={[
				{ title: '字段', render: ({ field }) => fieldWord(field, record.targetType) },
				{ title: '之前', render: ({ field, before }) => cell(field, before) },
				{ title: '之后', render: ({ field, after }) => cell(field, after) },
			]}
		/>
	);
}
