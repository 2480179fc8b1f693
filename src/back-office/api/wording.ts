import { showShortTime } from './time.ts';

/**
 * What the service says, as a page says it. Its messages name the rules exactly, for programs as well; on a page a person
 * looks at the field and wants to know what to do.
 */
const wordings: readonly (readonly [said: RegExp, shown: string])[] = [
	[/^请求参数无效$/, '请检查填写的内容'],
	[/^未登录或登录已失效$/, '登录已失效，请重新登录'],
	[/^服务器内部错误$/, '系统出现问题，请稍后再试'],
	[/^请求体不能超过 (.*)$/, '内容不能超过 $1'],
	[/^必填；/, ''],
	[/^须为 1 至 (\d+) 个字符的单行文字.*$/, '请输入 1 至 $1 个字，不能换行'],
	[/^须为不超过 (\d+) 个字符的单行文字.*$/, '最多 $1 个字，不能换行'],
	[/^须为不超过 (\d+) 个字符的文字.*$/, '最多 $1 个字'],
	[/^须为 (\d+) 至 (\d+) 个字符的文字$/, '请输入 $1 至 $2 个字符'],
	[/^须为 1 至 (\d+) 个字符，以小写字母开头.*$/, '请以小写字母开头，只用小写字母、数字和下划线，最多 $1 个字符'],
	[/^须为 11 位中国大陆手机号$/, '请输入 11 位手机号'],
	[/^须为最多 (\d+) 个角色 id 的数组$/, '最多选择 $1 个角色'],
	[/^须为正整数$/, '请选择'],
	[/^CSV 文件的编码须为 UTF-8 或 GB18030$/, '文件中的文字无法识别，请在 Excel 中另存为 XLSX 后再选择'],
	[/角色编码/g, '角色代号'],
	[/([KM])iB/g, '$1B'],
];

/** When somebody changed something, on the clock of the server. */
const serverTime = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) ([+-]\d\d:\d\d)(?= )/;

/** A message of the service in the words of a page. */
export function inWords(message: string): string {
	const worded = wordings.reduce((text, [said, shown]) => text.replace(said, shown), message);
	return worded.replace(serverTime, (_, day, time, zone) => showShortTime(`${day}T${time}${zone}`));
}
