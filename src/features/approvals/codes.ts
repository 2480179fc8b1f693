/**
 * The codes by which employees approve. They come from a key that no database or backup contains, so nothing is stored
 * or enrolled. They serve only for approvals.
 */
import { Secret, TOTP } from 'otpauth';
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
	const totpOf = ({ id, approvalsGiven }: Approver) =>
		new TOTP({ secret: Secret.fromHex(hmac(key, `${id} ${approvalsGiven}`).toString('hex')), period });
	return {
		/** The present code, and the seconds until the next one. */
		show(approver: Approver, at: string) {
			const code = totpOf(approver).generate({ timestamp: Date.parse(at) });
			return { code, validFor: period - (secondsOf(at) % period) };
		},
		/** Whether a text is the present or the previous code. The check takes the same time for every wrong text of six bytes. */
		matches(text: string, approver: Approver, at: string): boolean {
			const distance = totpOf(approver).validate({ token: text, timestamp: Date.parse(at), window: 1 });
			return distance === 0 || distance === -1;
		},
	};
}

export type ApprovalCodes = ReturnType<typeof createApprovalCodes>;
