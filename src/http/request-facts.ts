import { Elysia } from 'elysia';

/** What every handler knows of its request; filled in when it is received. */
export const requestFacts = new Elysia({ name: 'request-facts' }).decorate({
	/** Goes into the log and into the answer's `X-Request-Id`. */
	requestId: '',
	/** Where the request comes from. */
	address: '',
	/** When it came, by a clock that never goes back, in milliseconds. */
	receivedAt: 0,
});
