import { idleDays } from '../../platform/vocabulary/limits.ts';
import { type EmployeeStatus, employeeStatuses, statusLabels } from '../../platform/vocabulary/status.ts';
import type { Own } from '../account/own.ts';
import { today } from '../page/day.ts';
import type { Search } from '../page/search.ts';

/** The label of employees without a password of their own: they have the initial one, or none. */
export const noPasswordLabel = '未设置自己的密码';

const presences = { ...statusLabels, DELETED: '已删除' };
const presenceNames = [...employeeStatuses, 'DELETED'] as const;

/** The statuses by which an account can filter. Only accounts that manage employees see the deleted ones. */
export const presencesFor = ({ can }: Own) => (can('employee:manage') ? presences : statusLabels);

/** The reasons for attention, by their word in the address. */
export const attentions = {
	passwordIsInitial: noPasswordLabel,
	passwordExpired: '一次性密码已过期',
	neverSignedIn: '从未登录',
	lockedOut: '因门店禁用无法登录',
	withoutRole: '没有角色',
	notLately: `${idleDays} 天没有登录`,
} as const;
const attentionNames = Object.keys(attentions) as (keyof typeof attentions)[];

/** The filters of a list, in the form of the routes. */
export interface EmployeeFilter
	extends Partial<Record<Exclude<keyof typeof attentions, 'notLately'> | 'deleted', true>> {
	status?: EmployeeStatus;
	search?: string;
	storeId?: number;
	roleId?: number;
	signedInBefore?: string;
}

/** The filters in the address. */
export function employeeFilter(search: Search): EmployeeFilter {
	const [presence, attention] = [search.oneOf('status', presenceNames), search.oneOf('attention', attentionNames)];
	const [storeId, roleId, keyword] = [search.integer('storeId'), search.integer('roleId'), search.get('keyword')];
	return {
		...(presence && (presence === 'DELETED' ? { deleted: true as const } : { status: presence })),
		...(keyword && { search: keyword }),
		...(storeId && { storeId }),
		...(roleId && { roleId }),
		...(attention &&
			(attention === 'notLately' ? { signedInBefore: today(idleDays) } : { [attention]: true as const })),
	};
}
