import { Input } from 'antd';
import type { DayProps } from './day-picker.tsx';
import { late, useLate } from './late.tsx';

/** Large, and in few forms. */
const picker = late(async () => (await import('./day-picker.tsx')).DayPicker);

/** A day. The browser's own field would speak the language of the browser. */
export function DayField(props: DayProps) {
	const Picker = useLate(picker);
	return Picker ? <Picker {...props} /> : <Input id={props.id} aria-label={props['aria-label']} disabled />;
}
