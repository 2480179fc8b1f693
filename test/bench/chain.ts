/** The chain's own work: importing and exporting people, the overview, roles, closing a store; and how long others wait. */
import { csvType, xlsxType } from '../oracle.ts';
import { csvOf, xlsxOf } from '../spreadsheets.ts';
import { type Contender, type Measure, type Part, phoneOfNobody, timeAndOthers, withJson } from './measure.ts';

/** An import; with `dryRun` only a check of the file. */
interface Import {
	lines: number;
	format?: 'CSV' | 'XLSX';
	remark?: string;
	dryRun?: true;
}

const imports: readonly (Import & { what: string })[] = [
	{ what: 'check of 1000 lines, CSV', lines: 1000, dryRun: true },
	{ what: 'import of 100 lines, CSV', lines: 100 },
	{ what: 'import of 1000 lines, CSV', lines: 1000 },
	{ what: 'import of 1000 lines, XLSX', lines: 1000, format: 'XLSX' },
	{ what: 'import of 1000 lines, long remarks', lines: 1000, remark: '早'.repeat(500) },
	{ what: 'check of 5000 lines, CSV', lines: 5000, dryRun: true },
	{ what: 'import of 5000 lines, CSV', lines: 5000 },
	{ what: 'import of 5000 lines, XLSX', lines: 5000, format: 'XLSX' },
];

const lists: Readonly<Record<string, string>> = {
	'holders of a role': '/api/roles/3/employees',
	'holders of a role, page 1000': '/api/roles/3/employees?page=1000',
	'one employee’s access': '/api/employees/77/access',
	'options of the form': '/api/employees/options',
	'huge store with its people': '/api/stores/1',
	'people of the huge store': '/api/stores/1/employees',
	'export, CSV': '/api/employees/export?format=csv',
	'export, XLSX': '/api/employees/export?format=xlsx',
};

export const chainPart: Part = {
	kinds: ['worst'],
	// The huge store has 5,000 people, or 30,000.
	sizes: [35_000, 210_000],
	measures: () => [
		...imports.map(
			({ what, ...file }): Measure => ({ what, run: (contender) => sendImport(timeAndOthers, contender, file) }),
		),
		...Object.entries(lists).map(
			([what, path]): Measure => ({ what, run: (contender) => timeAndOthers(contender, path) }),
		),
		{ what: 'closing the huge store', rounds: 1, run: closeStore },
	],
};

/** Hires people into the second store. */
export function sendImport<Result>(
	send: (contender: Contender, path: string, init: RequestInit) => Promise<Result>,
	contender: Contender,
	{ lines, format = 'CSV', remark = '早班', dryRun }: Import,
): Promise<Result> {
	const work = ['2', 'cashier', '启用', remark];
	const rows = Array.from({ length: lines }, (_, index) => [`王小${index}`, phoneOfNobody(contender), ...work]);
	const table = [['姓名', '手机号', '门店', '角色', '状态', '备注'], ...rows];
	const body =
		format === 'CSV'
			? csvOf(table)
			: new Uint8Array(xlsxOf(Object.fromEntries(table.map((row, index) => [index + 1, row]))));
	const headers = { 'content-type': format === 'CSV' ? csvType : xlsxType };
	return send(contender, `/api/employees/import?dryRun=${dryRun === true}`, { method: 'POST', headers, body });
}

function closeStore(contender: Contender): Promise<Record<string, number>> {
	// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
	return timeAndOthers(contender, '/api/stores/1/close', withJson('POST', { moveTo: 2, then: 'DISABLE' }));
}
