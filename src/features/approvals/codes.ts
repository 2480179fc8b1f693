/**
 * The codes by which employees approve something. They are made from a key that is in no database or backup, so nothing is
 * stored or enrolled; they are good for nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The owner of a code. Each approval ends the code that made it, because the code is made from the number of approvals. */
interface Approver {
	id: number;
	approvalsGiven: number;
}

/** For how many seconds a code is shown. It is taken for as long again. */
const period = 60;

/** Makes and checks the codes of an installation. Times are in ISO 8601. */
export function createApprovalCodes(secret: string) {
	const key = createHmac('sha256', secret).update('the key of approval codes').digest();
	const secondsAt = (at: string) => Math.floor(Date.parse(at) / 1000);
	function codeOf({ id, approvalsGiven }: Approver, step: number): string {
		const digest = createHmac('sha256', key).update(`${id} ${approvalsGiven} ${step}`).digest();
		return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
	}
	return {
		/** The code of now, and the seconds until the next one is shown. */
		show(approver: Approver, at: string) {
			const seconds = secondsAt(at);
			return { code: codeOf(approver, Math.floor(seconds / period)), validFor: period - (seconds % period) };
		},
		/** Whether a text is the code of now or the one before. It takes the same time for every text of six bytes. */
		matches(text: string, approver: Approver, at: string): boolean {
			const step = Math.floor(secondsAt(at) / period);
			const typed = Buffer.from(text);
			const isCode = (each: number) => {
				const code = Buffer.from(codeOf(approver, each));
				return typed.length === code.length && timingSafeEqual(typed, code);
			};
			return [step, step - 1].map(isCode).includes(true);
		},
	};
}

export type ApprovalCodes = ReturnType<typeof createApprovalCodes>;
