import { beforeAll, describe, expect, test } from 'bun:test';
import { expectInvalid, expectRefusal, expectStatus, newName, Service } from './harness.ts';

let service: Service;
beforeAll(async () => {
	service = await Service.start();
});

describe('POST /api/stores', () => {
	test('creates a store with the defaults, trimmed, an empty optional text as null', async () => {
		const name = newName('门店');
		const answer = await service.asSuper('POST', '/api/stores', { name: `  ${name} `, phone: '  ' });
		const store = expectStatus(answer, 201);
		expect(store).toEqual({
			id: expect.any(Number),
			name,
			address: null,
			phone: null,
			status: 'ACTIVE',
			createdAt: service.time.toISOString(),
			updatedAt: service.time.toISOString(),
		});
	});

	test('refuses a taken name', async () => {
		const { name } = await service.addStore();
		expectRefusal(await service.asSuper('POST', '/api/stores', { name }), 409, 'CONFLICT', '门店名称已存在');
	});

	test('names each field that is wrong', async () => {
		const answer = await service.asSuper('POST', '/api/stores', { name: ' ', status: 'OPEN', phone: 5 });
		expectInvalid(answer, 'body.name', 'body.status', 'body.phone');
	});
});
