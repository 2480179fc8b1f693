import { useQuery } from '@tanstack/react-query';
import { Button, type SelectProps } from 'antd';
import type { EmployeeOptions } from '../../features/employees/model.ts';
import { ChoiceSelect, type Option } from '../page/name-search.tsx';
import { assignableChoices, type Choice } from './employee-queries.ts';

interface Props<Value> extends Omit<SelectProps<Value, Option<number>>, 'options'> {
	of: keyof EmployeeOptions;
	/** The employee's present choices. They can stay, even if the account may not give them. */
	present?: readonly Choice[];
	/** A choice that is not offered. */
	except?: number;
}

/** A select for the stores that the account may hire into, or for the roles that it may give. */
export function AssignableSelect<Value>({
	of,
	present = [],
	except,
	placeholder = of === 'stores' ? '选择门店' : '选择角色',
	...props
}: Props<Value>) {
	const { data, error, isFetching, refetch } = useQuery(assignableChoices);
	if (error && !data) {
		return (
			<span role="alert">
				加载失败{' '}
				<Button size="small" loading={isFetching} onClick={() => void refetch()}>
					重试
				</Button>
			</span>
		);
	}
	const offered = data?.[of].filter(({ id }) => id !== except) ?? [];
	const known = new Set(offered.map(({ id }) => id));
	const options = [...offered, ...present.filter(({ id }) => !known.has(id))];
	const shown = data || options.length > 0 ? options : undefined;
	return <ChoiceSelect placeholder={placeholder} loading={isFetching} options={shown} {...props} />;
}
