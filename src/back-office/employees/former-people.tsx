import { Button, Radio } from 'antd';
import type { FormerEmployee } from '../../features/files/employees/model.ts';
import { Notice } from '../forms/refusal-alert.tsx';
import { Listing } from '../page/listing.tsx';
import { formerlyAt } from './known-number.tsx';

const options = [
	{ value: true, label: '返岗' },
	{ value: false, label: '新增为另一人' },
];

/** Whether each deleted employee comes back, by their ids. They outlast another check of the same file. */
export interface Returning {
	decided: ReadonlyMap<number, boolean>;
	setDecided(decided: ReadonlyMap<number, boolean>): void;
}

/** The question for each deleted employee whose phone is in a file: restore them, or hire somebody new. */
export function returningOf(former: readonly FormerEmployee[], { decided, setDecided }: Returning) {
	const decide = (people: readonly FormerEmployee[], comesBack: boolean) =>
		setDecided(new Map([...decided, ...people.map(({ id }) => [id, comesBack] as const)]));
	const question = (
		<>
			<Notice type="info">
				这些手机号属于已删除的员工。返岗的员工保留设置过的密码和操作记录，门店和角色以表格为准；没有“角色”一列时，恢复原来的角色。
			</Notice>
			{former.length > 1 && (
				<p className="line">
					<Button onClick={() => decide(former, true)}>全部返岗</Button>
					<Button onClick={() => decide(former, false)}>全部新增为另一人</Button>
				</p>
			)}
			<Listing
				label="原员工"
				query={{ data: [...former] }}
				columns={[
					{ title: '原员工', render: (person) => formerlyAt(person) },
					{ title: '行', render: ({ line }) => `第 ${line} 行`, width: 90 },
					{
						title: '导入为',
						render: (person) => (
							<Radio.Group
								aria-label={`“${person.name}”导入为`}
								options={options}
								value={decided.get(person.id)}
								onChange={({ target }) => decide([person], target.value)}
							/>
						),
						width: 240,
					},
				]}
			/>
		</>
	);
	return {
		/** Whether a decision is missing. */
		isOpen: former.some(({ id }) => !decided.has(id)),
		question: former.length > 0 && question,
		returning: former.flatMap(({ id }) => (decided.get(id) ? id : [])),
	};
}
