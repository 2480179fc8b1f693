import { Select, type SelectProps } from 'antd';

/** One or several of some stores or roles, found by their names. */
export function ChoiceSelect<Value>(props: SelectProps<Value, { id: number; name: string }>) {
	return <Select showSearch={{ optionFilterProp: 'name' }} fieldNames={{ value: 'id', label: 'name' }} {...props} />;
}
