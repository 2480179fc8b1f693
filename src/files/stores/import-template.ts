/** The workbook that people fill in for an import of stores. */
import { maxImportLines } from '../../vocabulary/limits.ts';
import { headingsOf, widthsOf } from '../columns.ts';
import { writeXlsx } from '../formats/write-xlsx.ts';
import { storeColumns } from './columns.ts';

const explanation: string[][] = [
	['列', '是否必填', '说明', '示例'],
	['门店名称', '必填', '1 至 100 个字符，不能与其他门店重复', '人民路店'],
	['地址', '', '最多 255 个字符', '人民路 1 号'],
	['电话', '', '最多 30 个字符', '021-12345678'],
	['状态', '', '启用 或 禁用，空白为启用', '启用'],
	['区域', '', '已有区域的名称，空白为没有区域', '华东'],
	[],
	[`在“门店”工作表中从第 2 行开始填写，一次最多 ${maxImportLines} 行。任何一行有误，则全部不导入。`],
];

/** The parts of the file. */
export function importTemplate(): AsyncGenerator<Uint8Array> {
	const { id: _, ...written } = storeColumns;
	return writeXlsx([
		{ name: '门店', widths: widthsOf(written), rows: [[headingsOf(written)]] },
		{ name: '说明', widths: [10, 10, 70, 20], rows: [explanation] },
	]);
}
