import { employeeSheet } from '../../features/files/employees/columns.ts';
import type { ImportedPeople } from '../../features/files/employees/model.ts';
import { columnsWith, headingOf, type ResourceSheet } from '../../features/files/layout.ts';
import type { ImportAnswer } from '../../features/files/model.ts';
import { storeSheet } from '../../features/files/stores/columns.ts';
import { sendFile } from '../api/client.ts';

/** A kind of file to import, with its texts. */
export interface ImportKind extends ResourceSheet {
	/** The noun with its counter. */
	unit: string;
	otherHeadings: string;
}

export const employeeKind: ImportKind = {
	...employeeSheet,
	unit: '名员工',
	otherHeadings: '列名也可以是电话、所属门店、岗位等常用名称。',
};

export const storeKind: ImportKind = {
	...storeSheet,
	unit: '家门店',
	otherHeadings: '列名也可以是店名、门店地址、联系电话等常用名称。区域列填写已有区域的名称。',
};

/** The rule that matches a line to its record, and the effect of empty cells. */
export function matchingOf({ noun, key, columns }: ImportKind): string {
	const clearable = columnsWith(columns, 'clearable').map((name) => headingOf(columns, name));
	return (
		`先按编号（导出的文件中有这一列）、没有编号时按${headingOf(columns, key)}找到${noun}。只修改表格中有的列；` +
		`${clearable.join('、')}的空白单元格会清空原有内容，其他空白单元格不修改。不会删除任何${noun}。`
	);
}

/** The answer to a check or an import of a file. */
export type ImportFindings = ImportAnswer & Partial<ImportedPeople>;

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file in memory, so that the import has exactly the checked content, without the lines to skip. */
export interface ReadFile {
	kind: ImportKind;
	file: File;
	skip: readonly number[];
}

const listed = (name: string, numbers: readonly number[] = []) =>
	numbers.length > 0 ? { [name]: numbers.join() } : {};

/** Sends a file. With `restore`, the ids of deleted employees who come back, it is imported; without, it is only checked. */
export async function importFile(read: ReadFile, restore?: readonly number[]): Promise<ImportFindings> {
	const passwords = read.kind === employeeKind && { passwords: 'one-time' };
	const query = { dryRun: String(restore === undefined), ...passwords, ...listed('restore', restore) };
	const { data }: { data: ImportFindings } = await (await sendRead(read, '/import', query)).json();
	return data;
}

/** The file, or some of its lines, with a column of its problems; without problems, all changes. */
export async function fileWithFindings(read: ReadFile, only?: readonly number[]): Promise<Blob> {
	return await (await sendRead(read, '/import/problems', listed('only', only))).blob();
}

function sendRead({ kind, file, skip }: ReadFile, path: string, query: object): Promise<Response> {
	const type = file.name.toLowerCase().endsWith('.xlsx') ? spreadsheet : 'text/csv';
	const asked = new URLSearchParams({ mode: 'auto', ...listed('skip', skip), ...query });
	const sent = { method: 'POST', headers: { 'content-type': type }, body: file };
	return sendFile(`api/${kind.resource}${path}?${asked}`, sent);
}
