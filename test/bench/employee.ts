/** Employees with their own password and some permissions. */
import { phoneOfNobody } from './chain.ts';
import type { Contender } from './measure.ts';

/** Sends a request as the super administrator. @returns the data of the answer; undefined if it is refused. */
export async function send({ program, token }: Contender, method: string, path: string, body?: unknown) {
	return (await program.send(method, path, { token, body })).body?.data;
}

/** Makes an employee of the first store with a new role of their own. @returns their id and token. */
export async function newEmployee(contender: Contender, permissions: readonly string[]) {
	const role = await send(contender, 'POST', '/api/roles', { code: `bench_${contender.next()}`, name: '某' });
	await send(contender, 'PUT', `/api/permissions/roles/${role.id}`, { permissions });
	const username = phoneOfNobody(contender);
	const person = { storeId: 1, name: '某', phone: username, roleIds: [role.id] };
	const { id } = await send(contender, 'POST', '/api/employees', person);
	const { password } = await send(contender, 'POST', `/api/employees/${id}/one-time-password`);
	const { program } = contender;
	const { body } = await program.send('POST', '/api/auth/employee/login', { body: { username, password } });
	const own = await program.send('PATCH', '/api/auth/me/password', {
		token: body.data.token,
		body: { oldPassword: password, newPassword: 'a-password-of-the-bench' },
	});
	return { id: Number(id), token: String(own.body.data.token) };
}
