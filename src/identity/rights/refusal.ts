/** Refusals by the rules of rights. They name the missing permissions and places, and the field of the request. */
import { inJsonArray, queries } from '../../platform/database/query.ts';
import { areas, stores } from '../../platform/database/schema.ts';
import { firstFive } from '../../platform/vocabulary/counted.ts';
import { businessError } from '../../platform/vocabulary/errors.ts';
import { type OwnPoint, type ProgramCode, titleOf } from '../../platform/vocabulary/permissions.ts';
import { because, type Reason } from '../../platform/vocabulary/reasons.ts';
import type { Authority } from './authority.ts';
import { includesPermission, isNothing, type Missing, reaches } from './rules.ts';

const read = queries(({ select }) => ({
	stores: select({ name: stores.name }).from(stores).where(inJsonArray(stores.id, 'ids')),
	areas: select({ name: areas.name }).from(areas).where(inJsonArray(areas.id, 'ids')),
}));

/** The beginning of a refusal, by the request. */
export const beginnings = {
	manage: '不能操作该员工',
	give: '超出您可以授予的范围',
	password: '不能为该员工设置密码或移除两步验证',
	program: '该程序的权限或门店超出您的范围',
} as const;

export const rightsMessages = {
	otherStore: because('out_of_reach', '只能查看和管理您负责的门店的员工'),
	ownReach: because('own_account', '不能更改自己负责的门店'),
	ownLastDay: because('own_account', '不能更改自己的最后工作日'),
	chainPoints: (points: readonly Pick<OwnPoint, 'code' | 'title'>[]) => {
		const titles = points.map(({ title }) => title);
		const permissions = points.map(({ code }) => code);
		return because('missing_own_permission', `不能给自己增加权限：${quoted(titles, '项')}`, { permissions });
	},
} as const;

/** Describes the missing rights: those the caller lacks, and those the caller has only until a day. */
function describeMissing(authority: Authority, { permissions, stores, areas }: Missing): string {
	const titles = Object.groupBy(permissions, (code) => (includesPermission(authority, code) ? 'ending' : 'lacked'));
	const places = Object.groupBy(stores, (id) => (reaches(authority, id) ? 'ending' : 'lacked'));
	const permissionsIn = (codes: readonly ProgramCode[]) => quoted(codes.map(titleOf), '项');
	function namesIn(kind: 'stores' | 'areas', ids: readonly number[], unit: string): string {
		// An area can have thousands of stores.
		const shown = ids.slice(0, 5);
		const rows = read(authority.db)[kind].all({ ids: JSON.stringify(shown) });
		const names = rows.map(({ name }) => name);
		// A missing store or area has no name.
		return quoted(names.length > 0 ? names : shown.map((id) => `编号 ${id}`), unit, ids.length);
	}
	const sentences = [
		titles.lacked && `您没有${permissionsIn(titles.lacked)}权限`,
		titles.ending && `您的${permissionsIn(titles.ending)}权限有到期日`,
		places.lacked && `您不负责门店${namesIn('stores', places.lacked, '家')}`,
		places.ending && `您负责的门店${namesIn('stores', places.ending, '家')}有到期日`,
		areas.length > 0 && `您没有长期负责区域${namesIn('areas', areas, '个')}`,
	];
	return sentences.filter((sentence) => typeof sentence === 'string').join('；');
}

function quoted(names: readonly string[], unit: string, count?: number): string {
	const inQuotes = names.map((name) => `“${name}”`);
	return firstFive(inQuotes, unit, count);
}

/** The maximum number of missing rights in a reason: a thousand employees can each see a thousand stores. */
const maxListed = 20;

/** The reason for a refusal: its beginning, and the missing rights. */
export function reasonFor(authority: Authority, beginning: string, missing: Missing): Reason {
	const { permissions, stores, areas } = missing;
	const listed = (kind: string, ids: readonly number[]) => ids.slice(0, maxListed).map((id) => `${kind} ${id}`);
	const places = [...listed('store', stores), ...listed('area', areas)];
	const message = `${beginning}：${describeMissing(authority, missing)}`;
	return because('missing_rights', message, { missing: [...permissions, ...places].slice(0, maxListed) });
}

/** Nothing may be missing. @throws AppError FORBIDDEN with the missing rights and the field of the request. */
export function requireNothingMissing(
	authority: Authority,
	missing: Missing,
	{ request, path }: { request: keyof typeof beginnings; path: string },
): void {
	if (isNothing(missing)) return;
	throw businessError('FORBIDDEN', path, reasonFor(authority, beginnings[request], missing));
}
