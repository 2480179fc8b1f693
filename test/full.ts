/** Tests for which CI has no time: `FULL=1` before a test command, or before `.ci/run`, runs them too. */
import { noteUntested } from './untested.ts';

/** Whether this run leaves out the further ways through a screen, and the further cases of something expensive. */
export const isShort = process.env.FULL !== '1';
if (isShort) noteUntested('what takes long', 'FULL=1 runs it');

/** The rows of an expensive table: those that CI has time for, or all. */
export function someOf<Row>(rows: readonly Row[], isEnough: (row: Row, index: number) => boolean): readonly Row[] {
	return isShort ? rows.filter(isEnough) : rows;
}
