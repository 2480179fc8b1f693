/** The templates that people fill in for an import. */
import { maxImportLines } from '../../platform/vocabulary/limits.ts';
import { writeXlsx } from './formats/write-xlsx.ts';
import { headOf, type Layout } from './layout.ts';

const hint = '不要合并单元格，不要使用公式。导入后可打印新员工的一次性密码。';

/** The parts of a template. */
export function importTemplate({ resource, noun, columns }: Layout): AsyncGenerator<Uint8Array> {
	const { id, ...others } = columns;
	const written = Object.values(others);
	const { headings, widths } = headOf(written);
	const explained = written.map(({ headings: [heading], required, explanation = [] }) => [
		heading,
		required ? '必填' : '',
		...explanation,
	]);
	const rule = `在“${noun}”工作表中从第 2 行开始填写，一次最多 ${maxImportLines} 行。导入前先检查，有误的行会逐一列出。`;
	const rows = [
		['列', '是否必填', '说明', '示例'],
		...explained,
		[],
		[rule],
		...(resource === 'employees' ? [[hint]] : []),
	];
	return writeXlsx([
		{ name: noun, widths, rows: [headings] },
		{ name: '说明', widths: [10, 10, 70, 20], rows },
	]);
}
