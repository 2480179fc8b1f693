import { employeeStatuses } from '../../platform/vocabulary/status.ts';
import { dayIn } from '../page/day.ts';
import { FilterSelect, statusOptions } from '../page/filters.tsx';
import type { Search } from '../page/search.ts';

/** The label of employees without a password of their own: they have the initial one, or none. */
export const noPasswordLabel = '未设置自己的密码';

/** The labels of the attention filter. */
const attentionLabels = {
	passwordIsInitial: noPasswordLabel,
	passwordExpired: '一次性密码已过期',
	neverSignedIn: '从未登录',
	lockedOut: '因门店禁用无法登录',
	withoutRole: '没有角色',
} as const;

type Attention = keyof typeof attentionLabels;
const attentions = Object.keys(attentionLabels) as Attention[];

/** Those of these filters that the address has, and whether it wants deleted people; somebody can pass several. */
export function attentionIn(search: Search) {
	const given = attentions.filter((name) => search.get(name) === 'true').map((name) => [name, true] as const);
	const signedInBefore = dayIn(search, 'signedInBefore');
	return {
		...(search.get('deleted') === 'true' && { deleted: true as const }),
		...(Object.fromEntries(given) as Partial<Record<Attention, true>>),
		...(signedInBefore && { signedInBefore }),
	};
}

/** The active filter in words. */
export function attentionWords({ signedInBefore, deleted, ...others }: ReturnType<typeof attentionIn>): string[] {
	const words = attentions.filter((name) => others[name]).map((name) => attentionLabels[name]);
	return [...(deleted ? [deletedLabel] : []), ...words, ...(signedInBefore ? [`${signedInBefore} 起未登录`] : [])];
}

const deletedLabel = '已删除';

/** Enabled, disabled, or all; the deleted people are for those who manage people. */
export function PresenceFilter({ search, seesDeleted }: { search: Search; seesDeleted: boolean }) {
	const options = [
		...statusOptions(employeeStatuses),
		...(seesDeleted ? [{ value: 'deleted', label: deletedLabel }] : []),
	];
	return (
		<FilterSelect
			label="状态"
			value={attentionIn(search).deleted ? 'deleted' : (search.oneOf('status', employeeStatuses) ?? null)}
			options={options}
			onChange={(value?: string) => {
				const isDeleted = value === 'deleted';
				search.set({ status: isDeleted ? undefined : value, deleted: isDeleted ? 'true' : undefined });
			}}
		/>
	);
}

/** Chooses one of them, or none. */
export function AttentionFilter({ search }: { search: Search }) {
	const { deleted: _, ...present } = attentionIn(search);
	const [chosen = null] = Object.keys(present);
	const day = present.signedInBefore;
	const options = [
		...attentions.map((value) => ({ value, label: attentionLabels[value] })),
		...(day ? [{ value: 'signedInBefore', label: `${day} 起未登录` }] : []),
	];
	return (
		<FilterSelect
			label="需要处理"
			popupMatchSelectWidth={false}
			value={chosen}
			options={options}
			onChange={(name?: string) => {
				const none = [...attentions, 'signedInBefore'].map((each) => [each, undefined] as const);
				const value = name === 'signedInBefore' ? day : 'true';
				search.set({ ...Object.fromEntries(none), ...(name !== undefined && { [name]: value }) });
			}}
		/>
	);
}
