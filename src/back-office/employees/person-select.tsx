import { Select, type SelectProps } from 'antd';
import type { Employee } from '../../features/employees/model.ts';
import { showPhone } from '../../platform/vocabulary/phone.ts';
import { usePersonSearch } from './person-search.ts';

interface Props extends SelectProps {
	/** Which people can be chosen. */
	isOffered(employee: Employee): boolean;
}

/** Chooses people, who are searched for by name, pinyin or phone. */
export function PersonSelect({ isOffered, ...given }: Props) {
	const { people, props, clear } = usePersonSearch();
	const options = people.filter(isOffered).map(({ id, name, phone, storeName }) => ({
		value: id,
		label: `${name} · ${showPhone(phone)} · ${storeName}`,
	}));
	return <Select {...props} placeholder="搜索姓名或手机号" options={options} onSelect={clear} {...given} />;
}
