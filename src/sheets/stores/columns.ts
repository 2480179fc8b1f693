/** The columns of stores in spreadsheets, the same ones for import and export. */

/** The columns in their order, each with the headings by which it is found. */
export const headings = {
	id: ['编号', 'id', '门店编号'],
	name: ['门店名称', 'name', '门店', '店铺名称', '店铺', '分店', '店名', '名称'],
	address: ['地址', 'address', '门店地址', '店铺地址', '详细地址'],
	phone: ['电话', 'phone', '门店电话', '联系电话', '电话号码', '联系方式'],
	status: ['状态', 'status', '门店状态'],
} as const;
/** One of the columns. */
export type Column = keyof typeof headings;
export const columns = Object.keys(headings) as Column[];

/** How wide the columns are written, in characters. */
export const columnWidths: readonly number[] = [8, 24, 40, 16, 8];

/** The columns that a new store must have. */
export const requiredColumns: readonly Column[] = ['name'];
