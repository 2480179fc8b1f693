/** Below the routes: which path a request goes to and where it ends; as bytes to the program. */
import { Connection, type Heard, wireTextOf } from '../connection.ts';
import { type Document, endpointsOf, exampleOf } from '../contract.ts';
import { Server } from '../server.ts';
import { type Campaign, counted, forEachAtOnce } from './campaign.ts';

interface Scale {
	/** One in so many combinations of host, operation and path is tried. */
	everyNth: number;
}

export const transport: Campaign<Scale> = {
	name: 'transport',
	claim: 'no Host and no path gets a request past sign-in, and nothing in a body is carried out as the next request',
	short: { everyNth: 43 },
	full: { everyNth: 1 },
	run: (scale) => Server.with((server) => hold(server, scale)),
};

/** The lines of a request that say which host is meant. */
const hosts = {
	good: ['Host: localhost', 'Host: x', 'Host: x:1', 'Host: [::1]:3000'],
	bad: ['X: none', 'Host:', 'Host: a b', 'Host: localhost/health', 'Host: x\r\nHost: localhost', 'Host: u@localhost'],
};

/** Ways to write a path that a program may read as another. */
const disguises: readonly ((path: string) => string)[] = [
	...['/', '/.', '/%2e', '/health/..', '/health/%2e%2e', '/zz', '/health', '/health?u=', '/health#', 'http://x'].map(
		(before) => (path: string) => `${before}${path}`,
	),
	...['', '?u=/health', '/', ';/health', '%00', '%0d%0a'].map((after) => (path: string) => `${path}${after}`),
	(path) => path.replace(/(.)\//, '$1//'),
	(path) => path.replace(/(.)\//, '$1%2f'),
	(path) => path.replace('api', '%61pi'),
	(path) => path.toUpperCase(),
	(path) => path.slice(1),
];

async function hold(server: Server, { everyNth }: Scale) {
	const store = await server.addStore();
	await server.addEmployee(store.id, [(await server.addRole('store:view')).id]);
	const tried = await tryDisguises(server, everyNth);
	await expectWhole(server);
	return { 'hosts and paths': counted(tried), 'handlers that ran': 0 };
}

const send = async (server: Server, text: string) => (await Connection.open(server.url)).exchange(text);

/** Every host, operation and path without a token: nothing changes, and only public data is shown. */
async function tryDisguises(server: Server, everyNth: number): Promise<number> {
	const tables = ['stores', 'roles', 'employees', 'employee_roles', 'role_permissions', 'administrators'];
	const everything = () => JSON.stringify(tables.map((table) => server.rows(`select * from ${table} order by 1`)));
	const before = everything();
	const document = (await server.send('GET', '/swagger/json')).body as Document;
	const attempts = endpointsOf(document).flatMap((endpoint) => {
		const path = endpoint.template.replace(/\{\w+\}/g, '1');
		const isPublic = endpoint.operation.security.length === 0;
		// A public operation may succeed; an invalid body avoids the cost of hashing.
		const body = isPublic ? '{}' : JSON.stringify(exampleOf(endpoint).body ?? {});
		return [...hosts.good, ...hosts.bad].flatMap((host) =>
			disguises.map((disguise) => ({ method: endpoint.method, path, target: disguise(path), host, body, isPublic })),
		);
	});
	const tried = attempts.filter((_, index) => index % everyNth === 0);
	await forEachAtOnce(tried, 40, async ({ method, path, target, host, body, isPublic }) => {
		const content = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
		const head = `${method} ${target} HTTP/1.1\r\n${host}\r\n${content}\r\nConnection: close\r\n\r\n`;
		const isOpen = (isPublic && isPathOf(target, path)) || (method === 'GET' && isPathOf(target, '/health'));
		const mayPass = isOpen && hosts.good.includes(host);
		expectOneRefusal(await send(server, `${head}${body}`), mayPass, `${method} ${target}, ${host}`);
	});
	if (everything() !== before) throw new Error('a request without a token changed what is stored');
	return tried.length;
}

/** Whether a target names a path when it is read as browsers read addresses. */
function isPathOf(target: string, path: string): boolean {
	return /^(?:\/(?!\/)|https?:)/.test(target) && new URL(target, 'http://localhost').pathname === path;
}

function expectOneRefusal({ answers, rest }: Heard, mayPass: boolean, name: string): void {
	const [answer, ...more] = answers;
	const isBrokenOff = !answer && rest === '';
	const isRefused = answer && [400, 401, 404].includes(answer.status) && !answer.text.includes('"success":true');
	if (more.length === 0 && (isBrokenOff || isRefused || (mayPass && answer && answer.status < 300))) return;
	throw new Error(`${name} gave ${answers.map(({ status, text }) => `${status} ${text}`).join(', ')}${rest}`);
}

/** A request ends where it says, whether its body is read, ignored or refused: what is hidden in it is not carried out. */
async function expectWhole(server: Server): Promise<void> {
	const token = server.superToken;
	const hidden = wireTextOf({ method: 'POST', path: '/api/stores', token, body: { name: 'hidden' } });
	const next = wireTextOf({ method: 'GET', path: '/health', headers: { connection: 'close' } });
	const carriers = ['POST /api/auth/login', 'GET /health', 'POST /api/stores', 'DELETE /api/roles/1', 'GET /zz'];
	for (const carrier of [...carriers, 'PATCH /api/employees/999/password/reset']) {
		const [method = '', path = ''] = carrier.split(' ');
		const size = Buffer.byteLength(hidden);
		const headers = { 'content-type': 'application/json' };
		const inChunks = `${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
		for (const request of [
			`${wireTextOf({ method, path, headers: { ...headers, 'content-length': String(size) } })}${hidden}`,
			`${wireTextOf({ method, path, headers: { ...headers, 'transfer-encoding': 'chunked' } })}${inChunks}`,
		]) {
			const statuses = (await send(server, `${request}${next}`)).answers.map(({ status }) => status);
			const [first = 500, second, ...more] = statuses;
			if (first >= 500 || second !== 200 || more.length > 0)
				throw new Error(`${carrier} and then GET /health gave ${statuses.join(', ')}`);
		}
	}
	if (server.rows("select 1 from stores where name = 'hidden'").length > 0) throw new Error('it was carried out');
}
