import { fieldWord } from '../../identity/history/words.ts';
import { authorOf, type Refusal } from '../api/refusal.ts';
import { people } from '../page/texts.tsx';

/** An employee who cannot be changed with the others. */
interface Refused {
	/** The index among the sent ids; NaN if no ids were sent. */
	index: number;
	/** Absent if the account may not see it. */
	name: string | undefined;
	reason: string;
}

/** The employees in the details of a refusal who cannot be changed; empty if they are about something else. */
export function refusedIn(details: Refusal['details'] = []): Refused[] {
	return details.flatMap((detail) => {
		const { path = '', name } = detail;
		const [, place, index] = /^(params\.groupId|body\.ids\.(\d+))$/.exec(path) ?? [];
		return place === undefined ? [] : [{ index: Number(index), name, reason: reasonOf(detail) }];
	});
}

/** The reason. A colleague's change is described with the time in this browser's zone. */
function reasonOf(detail: Refusal['details'][number]): string {
	const { message, by, field } = detail;
	if (by === undefined) return message;
	const what = field === undefined ? '删除了该员工' : `修改了${fieldWord(field, 'EMPLOYEE')}`;
	return `${authorOf(detail)} ${what}`;
}

const maxNames = 10;

/** Each reason with the names of the employees concerned. */
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
	return [names.join('、'), all].filter(Boolean).join(' 等 ');
}
