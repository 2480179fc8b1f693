/** The name of the chain. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { hanging } from './hanging.ts';
import { expectStatus, Service } from './harness.ts';
import { adminPassword } from './world.ts';

setDefaultTimeout(hanging);

test('an owner names the chain: every account reads the name, authenticators show it, and no password contains it', async () => {
	const service = await Service.start({ requirements: { ownPassword: true } });
	const { id } = await service.addEmployee((await service.addStore()).id, []);
	expect(await service.read('/api/chain')).toEqual({ name: null });
	for (const name of ['南北小铺', '东西小铺', '东西小铺']) {
		expect(expectStatus(await service.asSuper('PUT', '/api/chain', { name: ` ${name} ` }), 200)).toEqual({ name });
	}
	expect(service.rows("select id from history where action = 'CHAIN_UPDATE'")).toHaveLength(2);
	expect(await service.read('/api/chain')).toEqual({ name: '东西小铺' });
	const started = await service.asSuper('POST', '/api/auth/me/second-factor', { password: adminPassword });
	expect(new URL(expectStatus(started, 200).uri).searchParams.get('issuer')).toBe('东西小铺');
	const oldPassword = await service.giveOneTimePassword(id);
	const token = service.tokenOf(id);
	const change = (newPassword: string) => service.changeOwnPassword(token, oldPassword, newPassword);
	const [detail] = (await change('dongxixiaopu')).body.error.details;
	expect(detail.message).toBe('密码不要用手机号、姓名或品牌名称，请换一个');
	expectStatus(await change('nanbeixiaopu-7'), 200);
});
