import { storeColumns } from '../../files/stores/columns.ts';
import type { ImportKind } from '../employees/import-kind.ts';

export const storeKind: ImportKind = {
	path: 'stores',
	noun: '门店',
	unit: '家门店',
	title: '导入门店',
	parent: '门店管理',
	columns: storeColumns,
	otherHeadings: '列名也可以是店名、门店地址、联系电话等常用名称。区域列填写已有区域的名称。',
	matching:
		'先按编号（导出的文件中有这一列）、没有编号时按门店名称找到门店。只修改表格中有的列；' +
		'地址、电话和区域的空白单元格会清空原有内容，其他空白单元格不修改。不会删除任何门店。',
	newOnes: {},
};
