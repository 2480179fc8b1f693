import { Select, type SelectProps } from 'antd';
import { useNameSearch } from './name-search.ts';

interface Choice {
	id: number;
	name: string;
}

/** One or several of some stores or roles, found by their names. */
export function ChoiceSelect<Value>(props: SelectProps<Value, Choice>) {
	return <Select fieldNames={{ value: 'id', label: 'name' }} {...useNameSearch('name', props.options)} {...props} />;
}
