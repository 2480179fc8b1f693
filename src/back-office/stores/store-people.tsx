import { useQuery } from '@tanstack/react-query';
import type { Store } from '../../stores/model.ts';
import { reaches, useOwn } from '../account/own.ts';
import { employeeColumns } from '../employees/employee-columns.tsx';
import { EmployeeList } from '../employees/employee-list.tsx';
import { employeeCount } from '../employees/employee-queries.ts';
import { Listing } from '../page/listing.tsx';
import { pagingIn, useSearch } from '../page/search.ts';
import { peopleOfStore } from './store-queries.ts';

/** How many people a store has. */
export interface Headcount {
	total: number;
	active: number;
}

/** Counts the people of a store; undefined until they are counted. */
export function useHeadcount(store: Store): Headcount | undefined {
	const { id } = store;
	const mayList = reaches(useOwn(), store);
	const ofStore = { storeId: id };
	const { data: total } = useQuery({ ...employeeCount(ofStore), enabled: mayList });
	const { data: active } = useQuery({ ...employeeCount({ ...ofStore, status: 'ACTIVE' }), enabled: mayList });
	const { data: people } = useQuery({ ...peopleOfStore(id), enabled: !mayList });
	if (people) return { total: people.length, active: people.filter(({ status }) => status === 'ACTIVE').length };
	return total === undefined || active === undefined ? undefined : { total, active };
}

/** The people of a store: the list of employees, or only their names for an account that may not open it. */
export function StorePeople({ store }: { store: Store }) {
	return reaches(useOwn(), store) ? <EmployeeList store={store} /> : <People id={store.id} />;
}

function People({ id }: Pick<Store, 'id'>) {
	const search = useSearch();
	const query = useQuery(peopleOfStore(id));
	const [page, pageSize] = [Number(pagingIn(search).page), Number(pagingIn(search).pageSize)];
	const data = query.data && {
		items: query.data.slice((page - 1) * pageSize, page * pageSize),
		pagination: { page, pageSize, total: query.data.length },
	};
	return (
		<Listing
			label="员工"
			query={{ ...query, data }}
			columns={employeeColumns({ links: false, store: false })}
			rowKey={(employee) => employee.id}
			search={search}
			empty="这家门店还没有员工"
		/>
	);
}
