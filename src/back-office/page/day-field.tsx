import { Input } from 'antd';
import type { DayProps } from './day-picker.tsx';
import { late, useLate } from './late.tsx';

/** The picker is large, and few forms need it. */
const picker = late(async () => (await import('./day-picker.tsx')).DayPicker);

/** A field for a day. The browser's own would use the language of the browser. */
export function DayField(props: DayProps) {
	const Picker = useLate(picker);
	return Picker ? <Picker {...props} /> : <Input id={props.id} aria-label={props['aria-label']} disabled />;
}
