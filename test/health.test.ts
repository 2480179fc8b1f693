import { describe, expect, test } from 'bun:test';
import { expectRefusal, Service } from './harness.ts';

describe('GET /health', () => {
	test('reports that the service and the database work, and the time', async () => {
		const service = await Service.start();
		service.time = new Date('2031-02-03T04:05:06.007Z');
		const answer = await service.send('GET', '/health');
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({
			success: true,
			data: { status: 'ok', database: 'up', now: '2031-02-03T04:05:06.007Z' },
		});
	});

	test('needs no token and ignores a wrong one', async () => {
		const service = await Service.start();
		expect((await service.send('GET', '/health', { token: 'not.a.token' })).status).toBe(200);
	});

	test('is not under /api', async () => {
		const service = await Service.start();
		expectRefusal(await service.asSuper('GET', '/api/health'), 404, 'NOT_FOUND');
	});

	test('is 503 when the database is closed', async () => {
		const service = await Service.start();
		service.db.$client.close();
		const answer = await service.send('GET', '/health');
		expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
		expect(answer.body).toEqual({
			success: false,
			error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String), details: [] },
		});
	});
});
