import { DatePicker, type DatePickerProps } from 'antd';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';

/** The properties of Ant Design's picker that the forms set. The compiler would take seconds to compare all of them. */
type PickerProps = Pick<
	DatePickerProps,
	'id' | 'aria-label' | 'className' | 'prefix' | 'suffixIcon' | 'placeholder' | 'autoFocus' | 'allowClear'
>;

export interface DayProps extends PickerProps {
	/** A day such as `2026-11-21`. Without it, or with an empty text, no day is chosen. */
	value?: string | undefined;
	/** Called with an empty text when the day is removed. */
	onChange?(day: string): void;
	min?: string;
	max?: string;
	/** Days that can be chosen by a word. */
	presets?: Readonly<Record<string, string>>;
}

/** Ant Design's picker, which is Chinese in every browser. */
export function DayPicker({ value, onChange, min, max, presets = {}, ...field }: DayProps) {
	const change = (day: string | string[] | null) => onChange?.(String(day ?? ''));
	return (
		<DatePicker
			placeholder="年-月-日"
			{...field}
			value={value ? dayjs(value) : null}
			presets={Object.entries(presets).map(([label, day]) => ({ label, value: dayjs(day) }))}
			// Typed text counts at once, because a button can be pressed before the field loses the focus.
			onCalendarChange={(_, day) => change(day)}
			onChange={(_, day) => change(day)}
			{...(min && { minDate: dayjs(min) })}
			{...(max && { maxDate: dayjs(max) })}
			// A keyboard would cover the days.
			inputReadOnly={window.matchMedia('(pointer: coarse)').matches}
		/>
	);
}
