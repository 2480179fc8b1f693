import { Elysia } from 'elysia';

/** Facts about a request that every handler gets; the request log fills them in when it arrives. */
export const requestFacts = new Elysia({ name: 'request-facts' }).decorate({
	/** Stands in the log and in the answer's `X-Request-Id`. */
	requestId: '',
	/** The client's address. */
	address: '',
	/** When it arrived, in milliseconds on a clock that never goes back. */
	receivedAt: 0,
});
