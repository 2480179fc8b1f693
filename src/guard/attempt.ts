/** One attempt at a password, as the limits and the waiting line see it. */
import { clientNetwork } from '../vocabulary/network.ts';

/** A password that is about to be tried. */
export interface Attempt {
	/** Whose password: the name that signs in, or the caller who changes another's. A new password is a new subject. */
	subject: string;
	/** Where it comes from: what limits count. */
	network: string;
	/** Where it comes from: what shares the waiting line. A customer who has an IPv6 /56 has 256 networks. */
	neighborhood: string;
	/** A count of its own, of a device or a caller: no other limit concerns the attempt, and it goes first in the line. */
	own?: { kind: 'device' | 'caller'; key: string } | undefined;
	/** Aborted when the client is gone. */
	signal?: AbortSignal | undefined;
}

export type OwnCount = NonNullable<Attempt['own']>;

/** An attempt from an address, counted by `own` if that is given. */
export function attemptAt(
	subject: string,
	{ address, signal }: { address: string; signal?: AbortSignal | undefined },
	own?: OwnCount,
): Attempt {
	return { subject, network: clientNetwork(address), neighborhood: clientNetwork(address, 56), own, signal };
}
