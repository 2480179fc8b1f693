import type { EmployeeQuery } from '../../features/employees/model.ts';
import { attentionWords } from '../../identity/history/words.ts';
import { idleDays } from '../../platform/vocabulary/limits.ts';
import { employeeStatuses, statusLabels } from '../../platform/vocabulary/status.ts';
import type { Own } from '../account/own.ts';
import { given } from '../api/client.ts';
import { today } from '../page/day.ts';
import type { Search } from '../page/search.ts';

const allStatuses = { ...statusLabels, DELETED: '已删除' };

/** The statuses by which an account can filter. Only accounts that manage employees see the deleted ones. */
export const statusesFor = ({ can }: Own) => (can('employee:manage') ? allStatuses : statusLabels);

/** The reasons for attention, by their word in the address. */
export const attentions = { ...attentionWords, notLately: `${idleDays} 天没有登录` };
const attentionNames = Object.keys(attentions) as (keyof typeof attentions)[];

/** The filters of a list, in the form of the routes. */
export type EmployeeFilter = Omit<typeof EmployeeQuery.static, 'page' | 'pageSize' | 'include' | 'order'>;

/** The filters in the address. */
export function employeeFilter(search: Search): EmployeeFilter {
	const both = { search: search.get('keyword'), storeId: search.integer('storeId') };
	// A deleted employee holds no role, and needs no attention.
	if (search.get('status') === 'DELETED') return given({ ...both, deleted: true as const });
	const attention = search.oneOf('attention', attentionNames);
	return given({
		...both,
		status: search.oneOf('status', employeeStatuses),
		roleId: search.integer('roleId'),
		...(attention === 'notLately' ? { signedInBefore: today(idleDays) } : attention && { [attention]: true as const }),
	});
}
