/** The address of a client behind trusted proxies. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { clientAddress } from '../src/platform/http/client.ts';
import { createLog } from '../src/platform/machine/log.ts';
import { parseNetwork } from '../src/platform/vocabulary/network.ts';
import { hanging } from './hanging.ts';

setDefaultTimeout(hanging);

describe('the address of the client', () => {
	const lines: string[] = [];

	/** Reads an address with these proxies trusted, twice. */
	function of(peer: string, forwarded?: string, trusted = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '2001:db8::9']) {
		lines.length = 0;
		const addressOf = clientAddress({
			trusted: trusted.map(parseNetwork).filter((network) => network !== undefined),
			peerOf: () => peer,
			log: createLog({ write: (line) => lines.push(line) }, 'info'),
		});
		const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
		addressOf(new Request('http://localhost', { headers }));
		return addressOf(new Request('http://localhost', { headers }));
	}

	test.each([
		['192.0.2.1', undefined, '192.0.2.1'],
		['::ffff:192.0.2.1', undefined, '192.0.2.1'],
		['2001:DB8:0:0::1', undefined, '2001:db8::1'],
		['127.0.0.1', ' 203.0.113.9 , 192.0.2.1 ', '192.0.2.1'],
		['127.0.0.1', '203.0.113.9, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
		['::ffff:127.0.0.1', '2001:db8::1', '2001:db8::1'],
		['fd00::5', '192.0.2.1', '192.0.2.1'],
		['2001:db8::9', '192.0.2.1', '192.0.2.1'],
		['2001:db8::8', '192.0.2.1', '2001:db8::8'],
		['10.9.9.9', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
		['127.0.0.1', 'not an address', '127.0.0.1'],
		['127.0.0.1', '192.0.2.1, unknown, 10.1.1.1', '10.1.1.1'],
		['127.0.0.1', '', '127.0.0.1'],
		['192.0.2.1', '203.0.113.9', '192.0.2.1'],
		['', undefined, 'unknown'],
		['127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
		['127.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
		['127.0.0.1', '192.0.2.1:80, 10.1.2.3:443', '192.0.2.1'],
		['127.0.0.1', '203.0.113.7:', '127.0.0.1'],
		['127.0.0.1', '203.0.113.7:port', '127.0.0.1'],
		['127.0.0.1', '[203.0.113.7', '127.0.0.1'],
	])('peer %p, X-Forwarded-For %p: %p', (peer, forwarded, expected) => {
		expect(of(peer, forwarded)).toBe(expected);
	});

	test('from an unknown proxy is ignored, with one warning', () => {
		expect(of('127.0.0.1', '192.0.2.1', [])).toBe('127.0.0.1');
		expect(lines).toEqual([expect.stringContaining('set TRUST_PROXY')]);
	});
});
