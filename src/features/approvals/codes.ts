/**
 * The codes by which employees approve. They come from a key that no database or backup contains, so nothing is stored
 * or enrolled. They serve only for approvals.
 */
import { timingSafeEqual } from 'node:crypto';
import { secondsOf } from '../../identity/session/tokens.ts';
import { hmac } from '../../platform/machine/hmac.ts';

/** The owner of a code. Each approval ends its code, because the code depends on the number of approvals given. */
interface Approver {
	id: number;
	approvalsGiven: number;
}

/** The seconds for which a code is shown. */
const period = 60;

/** The seconds for which a code is accepted: while it is shown, and as long again. */
export const codeLifetime = 2 * period;

/** Makes and checks the approval codes of an installation. Times are in ISO 8601. */
export function createApprovalCodes(secret: string) {
	const key = hmac(secret, 'the key of approval codes');
	function codeOf({ id, approvalsGiven }: Approver, step: number): string {
		const digest = hmac(key, `${id} ${approvalsGiven} ${step}`);
		return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
	}
	return {
		/** The present code, and the seconds until the next one. */
		show(approver: Approver, at: string) {
			const seconds = secondsOf(at);
			return { code: codeOf(approver, Math.floor(seconds / period)), validFor: period - (seconds % period) };
		},
		/** Whether a text is the present or the previous code. The check takes the same time for every text of six bytes. */
		matches(text: string, approver: Approver, at: string): boolean {
			const step = Math.floor(secondsOf(at) / period);
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
