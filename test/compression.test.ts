/** Compression on the wire, by the program itself. `fetch` is told not to decompress. */
import { expect, test } from 'bun:test';
import { removeFoldersAfterAll } from './installation.ts';
import { Server } from './server.ts';

removeFoldersAfterAll();

test('JSON answers above 2 kB are compressed for clients with gzip, except answers with a tag, and files', async () => {
	await Server.with(async (server) => {
		const { id } = await server.addStore();
		for (let index = 0; index < 20; index++) await server.addEmployee(id, [3]);
		const ask = async (path: string, accepted = 'gzip, deflate, br') => {
			const headers = { authorization: `Bearer ${server.superToken}`, 'accept-encoding': accepted };
			const response = await fetch(server.url + path, { headers, decompress: false });
			const bytes = new Uint8Array(await response.arrayBuffer());
			const isCompressed = response.headers.get('content-encoding') === 'gzip';
			return { response, bytes, isCompressed, vary: response.headers.get('vary') ?? '' };
		};
		const plain = await ask('/api/employees', 'identity');
		const { response, bytes, isCompressed, vary } = await ask('/api/employees');
		expect([isCompressed, plain.isCompressed, response.status, vary]).toEqual([true, false, 200, 'accept-encoding']);
		expect(plain.vary).toBe('accept-encoding');
		expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(new TextDecoder().decode(plain.bytes));
		expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
		for (const header of ['content-type', 'cache-control', 'x-content-type-options'])
			expect(response.headers.get(header)).toBe(plain.response.headers.get(header));
		for (const [accepted, compressed] of [
			['GZIP', true] as const,
			['br;q=1, gzip;q=0.5', true] as const,
			['gzip;q=1.0', true] as const,
			['gzip;q=0', false] as const,
			['gzip; q=0.000, br', false] as const,
			['br, xgzip', false] as const,
			['', false] as const,
			['*', false] as const,
		])
			expect([accepted, (await ask('/api/employees', accepted)).isCompressed]).toEqual([accepted, compressed]);
		// An `ETag` identifies the bytes of an answer.
		const tagged = await ask(`/api/stores/${id}`);
		expect([tagged.bytes.length > 2048, tagged.isCompressed]).toEqual([true, false]);
		expect(tagged.response.headers.get('etag')).toMatch(/^"/);
		// Compressed once, for all.
		const [document, compressed] = [await ask('/swagger/json', 'identity'), await ask('/swagger/json')];
		expect([document.isCompressed, compressed.isCompressed]).toEqual([false, true]);
		expect(Buffer.from(document.bytes).equals(Bun.gunzipSync(compressed.bytes))).toBe(true);
		for (const path of ['/api/roles/1', '/health', '/api/employees/export?format=csv', '/nowhere'])
			expect([path, (await ask(path)).isCompressed]).toEqual([path, false]);
	});
});
