import { Select } from 'antd';
import { dayIn } from '../page/day.ts';
import type { Search } from '../page/search.ts';

/** What the people who still have the initial password are called. */
export const initialPasswordLabel = '初始密码未修改';

/** What a list of people can be looked through for, in words. */
const attentionLabels = {
	passwordIsInitial: initialPasswordLabel,
	passwordExpired: '一次性密码已过期',
	neverSignedIn: '从未登录',
	lockedOut: '因门店禁用无法登录',
	withoutRole: '没有角色',
	deleted: '已删除',
} as const;

type Attention = keyof typeof attentionLabels;
const attentions = Object.keys(attentionLabels) as Attention[];

/** Those of these filters that the address has; somebody can pass several. */
export function attentionIn(search: Search) {
	const given = attentions.filter((name) => search.get(name) === 'true').map((name) => [name, 'true'] as const);
	const signedInBefore = dayIn(search, 'signedInBefore');
	return {
		...(Object.fromEntries(given) as Partial<Record<Attention, 'true'>>),
		...(signedInBefore && { signedInBefore }),
	};
}

/** What the filter lets through, in words. */
export function attentionWords({ signedInBefore, ...others }: ReturnType<typeof attentionIn>): string[] {
	const words = attentions.filter((name) => others[name]).map((name) => attentionLabels[name]);
	return signedInBefore ? [...words, `${signedInBefore} 起未登录`] : words;
}

/** Chooses one of them, or none. The deleted people are for those who manage people. */
export function AttentionFilter({ search, seesDeleted }: { search: Search; seesDeleted: boolean }) {
	const present = attentionIn(search);
	const [chosen = null] = Object.keys(present);
	const offered = attentions.filter((name) => seesDeleted || name !== 'deleted');
	const day = present.signedInBefore;
	const options = [
		...offered.map((value) => ({ value, label: attentionLabels[value] })),
		...(day ? [{ value: 'signedInBefore', label: `${day} 起未登录` }] : []),
	];
	return (
		<Select
			allowClear
			aria-label="需要处理"
			placeholder="需要处理"
			className="filter-choice"
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
