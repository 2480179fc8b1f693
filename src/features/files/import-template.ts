/** The workbooks that people fill in for an import. */
import { maxImportLines } from '../../platform/vocabulary/limits.ts';
import { statusWords } from './cells.ts';
import { headingsOf, widthsOf } from './columns.ts';
import { writeXlsx } from './formats/write-xlsx.ts';
import { columnsOf, type Layout } from './layout.ts';

const [enabled, disabled] = [statusWords.ACTIVE[0], statusWords.INACTIVE[0]];
const status = ['状态', '', `${enabled} 或 ${disabled}，空白为${enabled}`, enabled];

const explanations: Readonly<Record<Layout['kind'], { columns: string[][]; hints: string[] }>> = {
	employees: {
		columns: [
			['姓名', '必填', '1 至 50 个字符', '王芳'],
			['手机号', '必填', '11 位中国大陆手机号，不能与在职员工重复；请保持单元格格式为“文本”', '13800138000'],
			['门店', '必填', '已启用门店的名称或编号', '人民路店'],
			['角色', '', '角色的名称或编码，多个用“、”或“,”分隔；不能高于自己的权限', '店长、收银员'],
			status,
			['备注', '', '最多 500 个字符', '早班'],
		],
		hints: ['不要合并单元格，不要使用公式。导入后可打印新员工的一次性密码。'],
	},
	stores: {
		columns: [
			['门店名称', '必填', '1 至 100 个字符，不能与其他门店重复', '人民路店'],
			['地址', '', '最多 255 个字符', '人民路 1 号'],
			['电话', '', '最多 30 个字符', '021-12345678'],
			status,
			['区域', '', '已有区域的名称，空白为没有区域', '华东'],
		],
		hints: [],
	},
};

/** The parts of the file for one kind. */
export function importTemplate(layout: Layout): AsyncGenerator<Uint8Array> {
	const { kind, noun, columns } = layout;
	const read = new Set(columnsOf(layout, 'add'));
	const written = Object.fromEntries(Object.entries(columns).filter(([name]) => read.has(name)));
	const explained = explanations[kind];
	const rule = `在“${noun}”工作表中从第 2 行开始填写，一次最多 ${maxImportLines} 行。任何一行有误，则全部不导入。`;
	const rows = [
		['列', '是否必填', '说明', '示例'],
		...explained.columns,
		[],
		[rule],
		...explained.hints.map((hint) => [hint]),
	];
	return writeXlsx([
		{ name: noun, widths: widthsOf(written), rows: [headingsOf(written)] },
		{ name: '说明', widths: [10, 10, 70, 20], rows },
	]);
}
