import { Input } from 'antd';
import { useState } from 'react';
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
	// A form gives the focus to its first field before the picker is loaded.
	const [isFocused, setFocused] = useState(false);
	if (Picker) return <Picker autoFocus={isFocused} {...props} />;
	return (
		<Input
			id={props.id}
			aria-label={props['aria-label']}
			value={props.value ?? ''}
			readOnly
			onFocus={() => setFocused(true)}
			onBlur={() => setFocused(false)}
		/>
	);
}

/** The browser's own field. */
function BrowserDay({ value, onChange, id, className, prefix, min, max, autoFocus = false, ...field }: DayProps) {
	return (
		<Input
			{...{ id, className, prefix, min, max, autoFocus }}
			type="date"
			aria-label={field['aria-label']}
			value={value ?? ''}
			onChange={({ target }) => onChange?.(target.value)}
		/>
	);
}
