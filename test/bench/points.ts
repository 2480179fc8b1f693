/** What the chain's own permission points cost each request of somebody who holds them all. */
import { load } from './load.ts';
import type { Contender, Part } from './measure.ts';

const path = '/api/roles/2';

/** The tokens of employees who may see roles, where the program knows them with 200 points of the chain. */
const tokens = new WeakMap<Contender, string>();

async function tokenOf(contender: Contender): Promise<string> {
	const known = tokens.get(contender);
	if (known) return known;
	const { program, token } = contender;
	const send = async (method: string, path: string, body: unknown) =>
		(await program.send(method, path, { token, body })).body?.data;
	const held = ['role:view'];
	for (let made = 0; made < 200; made += 1) {
		const point = await send('POST', '/api/permissions/points', { code: `till:p${made}`, title: `权限${made}` });
		if (point) held.push(point.code);
	}
	const role = await send('POST', '/api/roles', { code: 'holds_all', name: '全部' });
	await send('PUT', `/api/permissions/roles/${role.id}`, { permissions: held });
	const phone = '19999999999';
	const { id } = await send('POST', '/api/employees', { storeId: 1, name: '某', phone, roleIds: [role.id] });
	const { password } = await send('POST', `/api/employees/${id}/one-time-password`, undefined);
	const changed = { oldPassword: password, newPassword: 'a-password-of-the-bench' };
	const signedIn = await send('POST', '/api/auth/employee/login', { username: phone, password });
	const own = await program.send('PATCH', '/api/auth/me/password', { token: signedIn.token, body: changed });
	tokens.set(contender, own.body.data.token);
	return own.body.data.token;
}

export const pointsPart: Part = {
	kinds: ['ordinary'],
	sizes: [1000],
	measures: () => [
		{
			what: 'one role, by who holds 200 points',
			rounds: 9,
			async run(contender) {
				const { rate } = await load(contender.program.url + path, { token: await tokenOf(contender), connections: 32 });
				return { '32 clients': 1000 / rate };
			},
			limits: { '32 clients': { timesOld: 1.05 } },
		},
	],
};
