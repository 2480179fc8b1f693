import { queryOptions, useQuery } from '@tanstack/react-query';
import type { HistoryRecord } from '../../history/model.ts';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { visibleChoices } from '../employees/employee-queries.ts';
import { Facts } from '../page/facts.tsx';
import { SideDrawer } from '../page/side-drawer.tsx';
import { Time } from '../page/texts.tsx';
import { actionWords, actorWords, fieldWord, reasonWords, targetWords, valueWord } from './words.ts';

function recordById(id: string) {
	return queryOptions({ queryKey: ['history', id], queryFn: () => answer(api.history({ id }).get()) });
}

/** One record, beside the list. */
export function RecordDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
	return (
		<SideDrawer id={id} title="操作记录" width={640} query={recordById} onClose={onClose}>
			{(record) => <RecordView record={record} />}
		</SideDrawer>
	);
}

function RecordView({ record }: { record: HistoryRecord }) {
	return (
		<>
			<h2>{actionWords[record.action]}</h2>
			<Facts
				items={{
					时间: <Time at={record.at} exact />,
					操作人: <Actor record={record} />,
					对象: <Target record={record} />,
					来源地址: record.address ?? '本机',
					...(record.reason && { 原因: reasonWords[record.reason] }),
					...(record.count > 1 && { 次数: record.count }),
					...(record.requestId && { 日志编号: <code>{record.requestId}</code> }),
				}}
			/>
			{record.changes.length > 0 && <Changes changes={record.changes} />}
		</>
	);
}

function Changes({ changes }: Pick<HistoryRecord, 'changes'>) {
	const { data } = useQuery(visibleChoices(useOwn()));
	const names: Names = {
		storeId: new Map(data?.stores.map(({ id, name }) => [id, name])),
		roleIds: new Map(data?.roles.map(({ id, name }) => [id, name])),
	};
	return (
		<table className="changes">
			<thead>
				<tr>
					<th scope="col">字段</th>
					<th scope="col">之前</th>
					<th scope="col">之后</th>
				</tr>
			</thead>
			<tbody>
				{changes.map(({ field, before, after }) => (
					<tr key={field}>
						<th scope="row">{fieldWord(field)}</th>
						<td className="before">{textOf(before, field, names)}</td>
						<td className="after">{textOf(after, field, names)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** The names of stores and roles by field and id. */
type Names = Record<string, ReadonlyMap<unknown, string>>;

function textOf(value: unknown, field: string, names: Names): string {
	if (value === null || value === undefined || value === '') return '—';
	if (Array.isArray(value)) return value.map((each) => textOf(each, field, names)).join('、') || '—';
	return names[field]?.get(value) ?? valueWord(value);
}

/** The target of a record. */
export function Target({ record: { targetType, targetName } }: { record: HistoryRecord }) {
	if (targetType === null) return <span className="absent">—</span>;
	return `${targetWords[targetType]} ${targetName ?? ''}`;
}

/** The actor of a record. */
export function Actor({ record: { actorType, actorName } }: { record: HistoryRecord }) {
	return `${actorName}（${actorWords[actorType]}）`;
}
