import { describe, expect, test } from 'bun:test';
import { clientAddress } from '../src/http/client-address.ts';
import { createLog } from '../src/machine/log.ts';
import { parseNetwork } from '../src/vocabulary/network.ts';

describe('the address of the client', () => {
	const lines: string[] = [];

	/** Reads addresses with these proxies trusted. */
	function reading(trusted: string[]) {
		lines.length = 0;
		let peer = '';
		const addressOf = clientAddress({
			trusted: trusted.map(parseNetwork).filter((network) => network !== undefined),
			peerOf: () => peer,
			log: createLog({ write: (line) => lines.push(line) }, 'info'),
		});
		return (from: string, forwarded?: string) => {
			peer = from;
			const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
			return addressOf(new Request('http://localhost', { headers }));
		};
	}

	const of = (peer: string, forwarded?: string, trusted = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '2001:db8::9']) =>
		reading(trusted)(peer, forwarded);

	test.each([
		['192.0.2.1', undefined, '192.0.2.1'],
		['::ffff:192.0.2.1', undefined, '192.0.2.1'],
		['2001:DB8:0:0::1', undefined, '2001:db8::1'],
		['127.0.0.1', '192.0.2.1', '192.0.2.1'],
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
		['127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
		['127.0.0.1', '192.0.2.1:80, 10.1.2.3:443', '192.0.2.1'],
		['127.0.0.1', '203.0.113.7:', '127.0.0.1'],
		['127.0.0.1', '203.0.113.7:port', '127.0.0.1'],
		['127.0.0.1', '[203.0.113.7', '127.0.0.1'],
	])('peer %p, X-Forwarded-For %p: %p', (peer, forwarded, expected) => {
		expect(of(peer, forwarded)).toBe(expected);
	});

	test('that a proxy sends unreadably is warned about once, and the proxy is taken for the client', () => {
		const addressOf = reading(['127.0.0.1', '10.0.0.0/8']);
		for (const forwarded of ['203.0.113.7;x', 'unknown', '192.0.2.1, unknown, 10.1.1.1'])
			addressOf('127.0.0.1', forwarded);
		expect(lines).toEqual([expect.stringMatching(/not an address.*203\.0\.113\.7;x/)]);
	});

	test('from an unknown proxy is ignored, with one warning', () => {
		expect(of('127.0.0.1', '192.0.2.1', [])).toBe('127.0.0.1');
		expect(lines).toEqual([expect.stringContaining('set TRUST_PROXY')]);
	});
});
