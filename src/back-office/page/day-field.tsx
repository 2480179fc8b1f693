import { Input } from 'antd';
import type { DayProps } from './day-picker.tsx';
import { late, useLate } from './late.tsx';

/** The picker is large, and few forms need it. If it cannot be loaded, the form must not be lost. */
const picker = late(() =>
	import('./day-picker.tsx').then(
		({ DayPicker }) => DayPicker,
		() => BrowserDay,
	),
);

/** A field for a day. The browser's own would use the language of the browser. */
export function DayField(props: DayProps) {
	const Picker = useLate(picker);
	return Picker ? <Picker {...props} /> : <Input id={props.id} aria-label={props['aria-label']} disabled />;
}

/** The browser's own field. */
function BrowserDay({ value, onChange, id, className, prefix, min, max, ...field }: DayProps) {
	return (
		<Input
			{...{ id, className, prefix, min, max }}
			type="date"
			aria-label={field['aria-label']}
			value={value ?? ''}
			onChange={({ target }) => onChange?.(target.value)}
		/>
	);
}
