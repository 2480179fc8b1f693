import { queryOptions, useQuery } from '@tanstack/react-query';
import { Descriptions } from 'antd';
import type { HistoryRecord } from '../../history/model.ts';
import { useOwn } from '../account/own.ts';
import { answer, api } from '../api/client.ts';
import { visibleChoices } from '../employees/employee-queries.ts';
import { SideDrawer } from '../page/side-drawer.tsx';
import { Time } from '../page/texts.tsx';
import { Actor, Target } from './participants.tsx';
import { actionWords, fieldWord, reasonWords, valueWord } from './words.ts';

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
			<Descriptions
				className="facts"
				column={1}
				items={[
					{ key: 'at', label: '时间', children: <Time at={record.at} exact /> },
					{ key: 'actor', label: '操作人', children: <Actor record={record} /> },
					{ key: 'target', label: '对象', children: <Target record={record} /> },
					{ key: 'address', label: '来源地址', children: record.address ?? '本机' },
					...(record.reason ? [{ key: 'reason', label: '原因', children: reasonWords[record.reason] }] : []),
					...(record.count > 1 ? [{ key: 'count', label: '次数', children: record.count }] : []),
					...(record.requestId
						? [{ key: 'request', label: '请求编号', children: <code>{record.requestId}</code> }]
						: []),
				]}
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

/** The names of what fields refer to by id. */
type Names = Record<string, ReadonlyMap<unknown, string>>;

function textOf(value: unknown, field: string, names: Names): string {
	if (value === null || value === undefined || value === '') return '—';
	if (Array.isArray(value)) return value.map((each) => textOf(each, field, names)).join('、') || '—';
	return names[field]?.get(value) ?? valueWord(value);
}
