import { authorOf, type Refusal } from '../api/refusal.ts';
import { people } from '../page/texts.tsx';
import { labels } from './employee-form.tsx';

/** Somebody who cannot be changed with the others. */
interface Refused {
	/** Their place among the ids that were sent; NaN where none were. */
	index: number;
	/** Absent where the account may not see it. */
	name: string | undefined;
	reason: string;
}

/** Those of a refusal who cannot be changed; empty when it is about something else. */
export function refusedIn({ details }: Refusal): Refused[] {
	return details.flatMap((detail) => {
		const { path = '', name } = detail;
		const [, place, index] = /^(params\.groupId|body\.ids\.(\d+))$/.exec(path) ?? [];
		return place === undefined ? [] : [{ index: Number(index), name, reason: reasonOf(detail) }];
	});
}

/** Why; what a colleague changed since is said with the time of this browser. */
function reasonOf(detail: Refusal['details'][number]): string {
	const { message, by, field } = detail;
	if (by === undefined) return message;
	const what = field === undefined ? '删除了该员工' : `修改了${labels[field as keyof typeof labels] ?? field}`;
	return `${authorOf(detail)} ${what}`;
}

const maxNames = 10;

/** Each reason with the names of those it holds for. */
export function Reasons({ of: refused }: { of: readonly Refused[] }) {
	return (
		<ul className="refused">
			{Array.from(Map.groupBy(refused, ({ reason }) => reason)).map(([reason, group]) => (
				<li key={reason}>
					{reason}：{namesOf(group)}
				</li>
			))}
		</ul>
	);
}

function namesOf(group: readonly Refused[]): string {
	const names = group.slice(0, maxNames).flatMap(({ name }) => name ?? []);
	const all = names.length === group.length ? '' : people(group.length);
	return [names.join('、'), all].filter(Boolean).join(names.length > 0 ? ' 等 ' : '');
}
