/** Limits and records wrong keys of programs by the network that they come from; tokens and right keys are not concerned. */
import { notSignedIn } from '../session/refusals.ts';
import type { RefuseKey } from '../session/session.ts';
import { clientNetwork } from '../vocabulary/network.ts';
import type { Guard } from './guard.ts';
import { attemptAt } from './limits.ts';
import { anonymous, type RefusedSignIns } from './refused-sign-ins.ts';

/** Makes the refusal of a wrong key: 401. It throws 429 after many from one network. */
export function refusingKeys(guard: Guard, refusedSignIns: RefusedSignIns): RefuseKey {
	return ({ address, requestId, at }) => {
		refusedSignIns.add({ actor: anonymous, address, requestId, at }, 'WRONG_KEY');
		const attempt = attemptAt('key', { address }, { kind: 'caller', key: `key ${clientNetwork(address)}` });
		guard.tryNow([attempt], () => undefined);
		return notSignedIn();
	};
}
