/** The permission points that the chain makes for its own programs. */
import { queryOptions } from '@tanstack/react-query';
import type { CreatePoint } from '../../features/permissions/model.ts';
import { historyCode, titleOf } from '../../platform/vocabulary/permissions.ts';
import { answer, api } from '../api/client.ts';
import { thingsOf } from '../api/things.ts';

/** All of them, with how many hold each. */
export const ownPoints = queryOptions({ queryKey: ['points'], queryFn: () => answer(api.permissions.points.get()) });

export const onePoint = thingsOf('points', api.permissions.points, {});

/** Reading the history, and common points for tills, stock and reports; a form can start with one. */
export const suggestedPoints: readonly CreatePoint[] = [
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
