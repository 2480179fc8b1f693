import { Button, Space } from 'antd';
import { dayIn, today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import type { Search } from '../page/search.ts';

/** The start of a day in the time zone of the browser, as the routes take it, or that of a day so many days later. */
export function startOfDay(day: string, later = 0): string {
	const date = new Date(`${day}T00:00:00`);
	date.setDate(date.getDate() + later);
	return date.toISOString();
}

interface DayFilterProps {
	search: Search;
	name: string;
	label: string;
	/** The text in front of the day. */
	prefix: string;
}

/** A filter for a day. */
export function DayFilter({ search, name, label, prefix }: DayFilterProps) {
	return (
		<DayField
			className="filter-day"
			prefix={prefix}
			aria-label={label}
			value={dayIn(search, name)}
			onChange={(day) => search.set({ [name]: day })}
		/>
	);
}

const ranges = [
	{ label: '今天', days: 1 },
	{ label: '近 7 天', days: 7 },
	{ label: '近 30 天', days: 30 },
];

/** The usual periods that end today; pressing the chosen one again ends it. */
export function DayRange({ search }: { search: Search }) {
	return (
		<Space.Compact className="filter-range">
			{ranges.map(({ label, days }) => {
				const from = today(days - 1);
				const isChosen = dayIn(search, 'from') === from && dayIn(search, 'to') === undefined;
				return (
					<Button
						key={label}
						aria-pressed={isChosen}
						type={isChosen ? 'primary' : 'default'}
						ghost={isChosen}
						onClick={() => search.set({ from: isChosen ? undefined : from, to: undefined })}
					>
						{label}
					</Button>
				);
			})}
		</Space.Compact>
	);
}
