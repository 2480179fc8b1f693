/** The workbook that people fill in for an import. */

import { maxImportLines } from '../../vocabulary/limits.ts';
import { statusWords } from '../cells.ts';
import { headingsOf, widthsOf } from '../columns.ts';
import { writeXlsx } from '../formats/write-xlsx.ts';
import { employeeColumns } from './columns.ts';

const explanation: string[][] = [
	['列', '是否必填', '说明', '示例'],
	['姓名', '必填', '1 至 50 个字符', '王芳'],
	['手机号', '必填', '11 位中国大陆手机号，不能与在职员工重复；请保持单元格格式为“文本”', '13800138000'],
	['门店', '必填', '已启用门店的名称或编号', '人民路店'],
	['角色', '', '角色的名称或代号，多个用“、”或“,”分隔；不能高于自己的权限', '店长、收银员'],
	['状态', '', `${statusWords.ACTIVE[0]} 或 ${statusWords.INACTIVE[0]}，空白为${statusWords.ACTIVE[0]}`, '启用'],
	['备注', '', '最多 500 个字符', '早班'],
	[],
	[`在“员工”工作表中从第 2 行开始填写，一次最多 ${maxImportLines} 行。任何一行有误，则全部不导入。`],
	['不要合并单元格，不要使用公式。导入后可打印新员工的一次性密码。'],
];

/** The parts of the file. */
export function importTemplate(): AsyncGenerator<Uint8Array> {
	const { id: _, ...written } = employeeColumns;
	return writeXlsx([
		{ name: '员工', widths: widthsOf(written), rows: [[headingsOf(written)]] },
		{ name: '说明', widths: [10, 10, 70, 20], rows: [explanation] },
	]);
}
