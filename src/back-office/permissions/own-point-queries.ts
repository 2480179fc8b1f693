/** The permission points that the chain makes for its own programs. */
import { queryOptions } from '@tanstack/react-query';
import type { CreatePoint, Point } from '../../features/permissions/model.ts';
import type { Program } from '../../features/programs/model.ts';
import { historyCode, titleOf } from '../../platform/vocabulary/permissions.ts';
import { answer, api, type Versioned, versioned } from '../api/client.ts';
import { thingsOf } from '../api/things.ts';

const { points } = api.permissions;

/** A point, with how many programs hold it where that was read. */
export type HeldPoint = Point & { programs?: number };

/** All of them, with how many hold each. */
export const ownPoints = queryOptions({
	queryKey: ['points'],
	async queryFn(): Promise<HeldPoint[]> {
		const [all, programs] = await Promise.all([answer(points.get()), answer(api.programs.get())]);
		return all.map((point) => withPrograms(point, programs));
	},
});

/** One of them. */
export const onePoint = {
	...thingsOf('points', points, {}),
	byId: (id: string) =>
		queryOptions({
			queryKey: ['points', id],
			async queryFn(): Promise<Versioned<HeldPoint>> {
				const [point, programs] = await Promise.all([versioned(points({ id }).get()), answer(api.programs.get())]);
				return withPrograms(point, programs);
			},
		}),
};

function withPrograms<Held extends Point>(point: Held, programs: readonly Program[]) {
	return { ...point, programs: programs.filter(({ permissions }) => permissions.includes(point.code)).length };
}

/** Reading the history, and common points for tills, stock and reports; a form can start with one. */
export const usualPoints: readonly CreatePoint[] = [
	{
		code: historyCode,
		title: titleOf(historyCode),
		description: '登录后台，查看和导出全部操作记录',
		groupTitle: '操作记录',
	},
	{ code: 'till:refund', title: '退款', description: '为顾客办理退款', groupTitle: '收银' },
	{ code: 'till:discount', title: '打折', description: '给整单或单品打折', groupTitle: '收银' },
	{ code: 'till:price', title: '改价', description: '修改商品的售价', groupTitle: '收银' },
	{ code: 'till:void', title: '整单取消', description: '取消尚未付款的整单', groupTitle: '收银' },
	{ code: 'till:drawer', title: '开钱箱', description: '不收款时打开钱箱', groupTitle: '收银' },
	{ code: 'till:shift', title: '交班', description: '清点现金并交班', groupTitle: '收银' },
	{ code: 'stock:count', title: '盘点', description: '盘点商品数量', groupTitle: '库存' },
	{ code: 'stock:waste', title: '报损', description: '登记损坏和过期的商品', groupTitle: '库存' },
	{ code: 'report:revenue', title: '查看营业额', description: '查看营业额和报表', groupTitle: '报表' },
];
