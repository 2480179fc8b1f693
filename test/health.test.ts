import { expect, test } from 'bun:test';
import { expectRefusal, expectStatus, Service } from './harness.ts';

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

test('GET /health is 503 after a change that could not be stored, until one can be', async () => {
	const service = await Service.start();
	const health = () => service.send('GET', '/health');
	service.db.$client.run('pragma query_only = on');
	const change = await service.asSuper('POST', '/api/stores', { name: '一店' });
	for (const answer of [change, await health()]) expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
	service.db.$client.run('pragma query_only = off');
	for (const _ of [1, 2]) expectStatus(await health(), 200);
});
