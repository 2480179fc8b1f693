import type { Overview } from '../../overview/model.ts';

const kinds = [
	{ name: 'hired', word: '入职' },
	{ name: 'left', word: '离职' },
	{ name: 'moved', word: '调店' },
	{ name: 'newRoles', word: '新角色' },
] as const;

/** What happened to people in the last seven days: a bar for each, and the numbers. */
export function Week({ days }: { days: Overview['week'] }) {
	const max = Math.max(1, ...days.flatMap((day) => kinds.map(({ name }) => day[name])));
	return (
		<>
			<h2>近 7 天</h2>
			<table className="week">
				<thead>
					<tr>
						<th scope="col">日期</th>
						{kinds.map(({ name, word }) => (
							<th key={name} scope="col">
								{word} {days.reduce((sum, day) => sum + day[name], 0).toLocaleString('zh-CN')}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{days.toReversed().map((day) => (
						<tr key={day.day}>
							<th scope="row">{day.day.slice(5)}</th>
							{kinds.map(({ name }) => (
								<td key={name}>
									<span className="week-bar" style={{ inlineSize: `${(day[name] / max) * 100}%` }} />
									<span className="week-number">{day[name] || ''}</span>
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}
