/** OpenID Connect: the time of a refresh, and of a request to sign in from a browser that is signed in. */
import { quantile } from '../campaigns/campaign.ts';
import type { Body } from '../http.ts';
import { newFolder, Program } from '../program.ts';
import { adminPassword, adminUsername } from '../world.ts';
import { environmentOf } from './databases.ts';
import type { Contender, Part } from './measure.ts';

const repeats = 300;
const limits = { median: { milliseconds: 5 } };
const redirect_uri = 'https://till.example/';
const code_verifier = 'a-verifier-of-the-benchmarks-that-is-long-enough';
const code_challenge = new Bun.CryptoHasher('sha256').update(code_verifier).digest('base64url');

/** The size of the chain changes neither. */
export const openidPart: Part = {
	kinds: ['ordinary'],
	sizes: [1000],
	measures: () => [
		{ what: 'refresh', limits, run: (contender) => withSignedIn(contender, refreshes) },
		{ what: 'authorize with a session', limits, run: (contender) => withSignedIn(contender, authorizations) },
	],
};

/** A program in which somebody is signed in, and their browser. */
interface SignedIn {
	program: Program;
	clientId: string;
	/** The query of a request to sign in. */
	query: string;
	cookie: string;
	/** A code that was not used yet. */
	code: string;
}

async function withSignedIn<T>({ command }: Contender, work: (signedIn: SignedIn) => Promise<T>): Promise<T> {
	const environment = { ...environmentOf(newFolder()), PUBLIC_URL: 'https://access.example' };
	const program = await Program.start({ command: [command], environment, keepsOutput: false });
	try {
		const token = await program.signIn(adminUsername, adminPassword);
		const client = { name: '收银台', permissions: [], isPublic: true, redirectUris: [redirect_uri] };
		const made = await program.send('POST', '/api/programs', { token, body: client });
		const clientId = `program-${made.body.data.id}`;
		const request = { client_id: clientId, redirect_uri, response_type: 'code', scope: 'openid offline_access' };
		const query = String(new URLSearchParams({ ...request, code_challenge, code_challenge_method: 'S256' }));
		const answer = await program.request(`/openid/sign-in?${query}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', origin: environment.PUBLIC_URL },
			body: JSON.stringify({ username: adminUsername, password: adminPassword }),
		});
		const { data } = (await answer.json()) as Body;
		const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
		return await work({ program, clientId, query, cookie, code: codeIn(data.location) });
	} finally {
		await program.end();
	}
}

const codeIn = (address: string | null) => new URL(address ?? '').searchParams.get('code') ?? '';

async function refreshes({ program, clientId, code }: SignedIn) {
	async function tokens(form: Record<string, string>): Promise<string> {
		const body = new URLSearchParams({ ...form, client_id: clientId });
		const { refresh_token } = (await (await program.request('/openid/token', { method: 'POST', body })).json()) as Body;
		return refresh_token;
	}
	let refresh_token = await tokens({ grant_type: 'authorization_code', code, code_verifier, redirect_uri });
	return timesOf(async () => {
		refresh_token = await tokens({ grant_type: 'refresh_token', refresh_token });
		if (!refresh_token) throw new Error('a refresh was refused');
	});
}

async function authorizations({ program, query, cookie }: SignedIn) {
	return timesOf(async () => {
		const answer = await program.request(`/openid/authorize?${query}`, { headers: { cookie }, redirect: 'manual' });
		if (codeIn(answer.headers.get('location')) === '') throw new Error('a request to sign in was refused');
	});
}

async function timesOf(work: () => Promise<void>) {
	const times: number[] = [];
	while (times.length < repeats) {
		const begun = performance.now();
		await work();
		times.push(performance.now() - begun);
	}
	return { median: quantile(times, 0.5), p95: quantile(times, 0.95) };
}
