import { type ResourceSheet, type SheetColumns, statusExplanation } from '../layout.ts';

/** The columns of stores, for imports, exports and the template. */
export const storeColumns = {
	id: { headings: ['编号', 'id', '门店编号'], width: 8, unique: true },
	name: {
		headings: ['门店名称', 'name', '门店', '店铺名称', '店铺', '分店', '店名', '名称'],
		width: 24,
		required: true,
		unique: true,
		explanation: ['1 至 100 个字符，不能与其他门店重复', '人民路店'],
	},
	address: {
		headings: ['地址', 'address', '门店地址', '店铺地址', '详细地址'],
		width: 40,
		clearable: true,
		explanation: ['最多 255 个字符', '人民路 1 号'],
	},
	phone: {
		headings: ['电话', 'phone', '门店电话', '联系电话', '电话号码', '联系方式'],
		width: 16,
		clearable: true,
		explanation: ['最多 30 个字符', '021-12345678'],
	},
	status: { headings: ['状态', 'status', '门店状态'], width: 8, explanation: statusExplanation },
	area: {
		headings: ['区域', 'area', '所属区域', '片区', '大区'],
		width: 16,
		clearable: true,
		explanation: ['已有区域的名称，空白为没有区域', '华东'],
	},
} as const satisfies SheetColumns;
export type StoreColumn = keyof typeof storeColumns;

/** Stores are identified by their ids or, without ids, by their names. */
export const storeSheet: ResourceSheet<StoreColumn> = {
	resource: 'stores',
	noun: '门店',
	columns: storeColumns,
	key: 'name',
};
