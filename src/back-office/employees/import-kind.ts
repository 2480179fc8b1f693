import { employeeSheet } from '../../features/files/employees/columns.ts';
import type { ImportedPeople } from '../../features/files/employees/model.ts';
import { columnsWith, headingOf, type ResourceSheet } from '../../features/files/layout.ts';
import type { ImportAnswer } from '../../features/files/model.ts';
import { storeSheet } from '../../features/files/stores/columns.ts';
import { ifMatch, saveFile, sendFile, type Versioned } from '../api/client.ts';

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

/** The answer to a check or an import of a file. That to a check has the version of what was planned. */
export type ImportFindings = Versioned<ImportAnswer & Partial<ImportedPeople>>;

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file in memory, so that the import has exactly the checked content. */
export interface ReadFile {
	kind: ImportKind;
	file: File;
}

/** The lines that are left out, the ids of the deleted employees who come back, and the version of the check. */
export type Decided = Versioned<Record<'skip' | 'restore', readonly number[]>>;

/** Sends a file. Without a decision it is only checked. */
export async function importFile(read: ReadFile, decided?: Decided): Promise<ImportFindings> {
	const passwords = read.kind === employeeKind ? 'one-time' : '';
	const { version, ...query } = decided ?? {};
	const sent = await sendFile(...requestOf(read, '/import', { dryRun: !decided, passwords, ...query }, version));
	return { ...(await sent.json()).data, version: sent.headers.get('etag') ?? undefined };
}

/** The lines of a file that count, or those that do not. */
type Lines = Partial<Record<'only' | 'skip', readonly number[]>>;

/** Downloads the file, or some of its lines, with a column of its problems; without problems, all changes. */
export function saveFindings(read: ReadFile, label: string, lines: Lines): Promise<void> {
	const [path, options] = requestOf(read, '/import/problems', lines);
	return saveFile(path, `${read.file.name.replace(/\.\w+$/, '')}-${label}.xlsx`, options);
}

/** The request with a file, for a version of its check. Empty parameters are not sent. */
function requestOf({ kind, file }: ReadFile, path: string, query: object, version?: string): [string, RequestInit] {
	const type = file.name.toLowerCase().endsWith('.xlsx') ? spreadsheet : 'text/csv';
	const texts = Object.entries({ mode: 'auto', ...query }).map(([name, value]) => [name, String(value)]);
	const asked = new URLSearchParams(texts.filter(([, text]) => text !== ''));
	const headers = { 'content-type': type, ...ifMatch(version).headers };
	return [`api/${kind.resource}${path}?${asked}`, { method: 'POST', headers, body: file }];
}
