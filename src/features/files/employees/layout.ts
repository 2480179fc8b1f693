/** Reads the cells of employees by the rules for a single new one. */
import { violationOf } from '../../../platform/http/violation.ts';
import { readPhone } from '../../../platform/vocabulary/phone.ts';
import { because } from '../../../platform/vocabulary/reasons.ts';
import { employeeStatuses } from '../../../platform/vocabulary/status.ts';
import { CreateEmployee } from '../../employees/model.ts';
import { excerpt, readField, readId, readStatus, wordOf } from '../cells.ts';
import type { CellParser, CellReading, Layout, ValuesOf } from '../layout.ts';
import type { ImportLine } from '../read-lines.ts';
import { type EmployeeColumn, employeeSheet, roleSeparator } from './columns.ts';

const shortened = (text: string) =>
	because('number_shortened', `电子表格把号码缩写成了 ${text}，请把这一列设为文本后重新填写`);

const { name, phone, remark, externalId } = CreateEmployee.properties;

const parsers = {
	name: (text) => readField(name, text),
	phone: readPhoneCell,
	store: (text) => ({ value: wordOf(text) }),
	roles: (text) => ({ value: text.split(roleSeparator).map(wordOf).filter(Boolean) }),
	status: (text) => readStatus(text, employeeStatuses),
	remark: (text) => readField(remark, text || null),
	id: readId,
	externalId: (text) => readField(externalId, text),
} satisfies Record<EmployeeColumn, CellParser>;

/** A line of a file. The words for the store and the roles are not looked up yet. */
export type EmployeeLine = ImportLine<EmployeeValues>;
export type EmployeeValues = ValuesOf<typeof parsers>;

export const employeeLayout: Layout<EmployeeColumn> = { ...employeeSheet, parsers };

function readPhoneCell(text: string): CellReading<string> {
	const read = readPhone(text);
	if (read !== undefined) return { value: read };
	const shown = excerpt(text) ?? '';
	const isShortened = /^[\d.]+E\+?\d+$/i.test(shown);
	return { problem: isShortened ? shortened(shown) : violationOf({ schema: phone, value: text }) };
}
