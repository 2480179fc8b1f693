/** The permission points that the chain makes for its own programs. */
import type { CreatePoint, Point } from '../../features/permissions/model.ts';
import { codeFrom } from '../../platform/vocabulary/code-from-name.ts';
import { groupOf, historyCode, type PermissionCode, titleOf } from '../../platform/vocabulary/permissions.ts';
import { answer, api } from '../api/client.ts';
import { queryOf, thingsOf } from '../api/things.ts';

/** All own points, with the number of holders of each. */
export const chainPoints = queryOf(['points'], () => api.permissions.points.get());

export const onePoint = thingsOf('points', api.permissions.points, {});

/** Suggestions for a new point: reading the history, and common points for tills, stock and reports. */
export const suggestedPoints: readonly Pick<Point, 'code' | 'title' | 'groupTitle'>[] = [
	{ code: historyCode, title: titleOf(historyCode), groupTitle: '操作记录' },
	{ code: 'till:refund', title: '退款', groupTitle: '收银' },
	{ code: 'till:discount', title: '打折', groupTitle: '收银' },
	{ code: 'till:price', title: '改价', groupTitle: '收银' },
	{ code: 'till:void', title: '整单取消', groupTitle: '收银' },
	{ code: 'till:drawer', title: '开钱箱', groupTitle: '收银' },
	{ code: 'till:shift', title: '交班', groupTitle: '收银' },
	{ code: 'stock:count', title: '盘点', groupTitle: '库存' },
	{ code: 'stock:waste', title: '报损', groupTitle: '库存' },
	{ code: 'report:revenue', title: '查看营业额', groupTitle: '报表' },
];

/** The code of a new point: that of the suggestion with this name, otherwise the pinyin of its name and group. */
export async function proposeCode({ title, ...more }: CreatePoint, own: readonly Point[]): Promise<PermissionCode> {
	const groupTitle = more.groupTitle ?? '';
	const isTaken = (code: string) => own.some((each) => each.code === code);
	const suggested = suggestedPoints.find((each) => each.title === title && each.groupTitle === groupTitle);
	if (suggested && !isTaken(suggested.code)) return suggested.code;
	const readings = await answer(api.pinyin.get({ query: { text: title + groupTitle } }));
	const codeOf = (name: string) => codeFrom(name, new Map(readings.map((each) => [each.character, each.reading])));
	const known = [...own, ...suggestedPoints].find((each) => each.groupTitle === groupTitle);
	const group = known ? groupOf(known.code) : codeOf(groupTitle) || 'group';
	const start: PermissionCode = `${group}:${(codeOf(title) || 'point').slice(0, 55 - group.length)}`;
	let code = start;
	for (let number = 2; isTaken(code); number += 1) code = `${start}_${number}`;
	return code;
}
