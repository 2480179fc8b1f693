import { expect, test } from 'bun:test';
import { Service } from './harness.ts';

test('GET /health reports that the service and the database work, and the time', async () => {
	const service = await Service.start();
	service.time = new Date('2031-02-03T04:05:06.007Z');
	const answer = await service.send('GET', '/health', { token: 'not.a.token' });
	expect(answer.status).toBe(200);
	expect(answer.body).toEqual({
		success: true,
		data: { status: 'ok', database: 'up', now: '2031-02-03T04:05:06.007Z' },
	});
});
