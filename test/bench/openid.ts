/** OpenID Connect: the time of a refresh, and of a request to sign in from a browser that is signed in. */
import { quantile } from '../campaigns/campaign.ts';
import type { Body } from '../http.ts';
import { asking, issuer, redirectUri, verifier } from '../openid-world.ts';
import { newFolder, Program } from '../program.ts';
import { adminPassword, adminUsername } from '../world.ts';
import { environmentOf } from './databases.ts';
import { type Contender, median, type Part, repeat } from './measure.ts';

const limits = { median: { milliseconds: 5 } };

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
	const { origin } = new URL(issuer);
	const environment = { ...environmentOf(newFolder()), PUBLIC_URL: origin };
	const program = await Program.start({ command: [command], environment, keepsOutput: false });
	try {
		const token = await program.signIn(adminUsername, adminPassword);
		const client = { name: '收银台', permissions: [], isPublic: true, redirectUris: [redirectUri] };
		const made = await program.send('POST', '/api/programs', { token, body: client });
		const clientId = `program-${made.body.data.id}`;
		const query = asking({ clientId }, { scope: 'openid offline_access' }).search;
		const answer = await program.request(`/openid/sign-in${query}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', origin },
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
	let refresh_token = await tokens({
		grant_type: 'authorization_code',
		code,
		code_verifier: verifier,
		redirect_uri: redirectUri,
	});
	return timesOf(async () => {
		refresh_token = await tokens({ grant_type: 'refresh_token', refresh_token });
		if (!refresh_token) throw new Error('a refresh was refused');
	});
}

async function authorizations({ program, query, cookie }: SignedIn) {
	return timesOf(async () => {
		const answer = await program.request(`/openid/authorize${query}`, { headers: { cookie }, redirect: 'manual' });
		if (codeIn(answer.headers.get('location')) === '') throw new Error('a request to sign in was refused');
	});
}

async function timesOf(work: () => Promise<void>) {
	const times = await repeat(300, async () => {
		const begun = performance.now();
		await work();
		return performance.now() - begun;
	});
	return { median: median(times), p95: quantile(times, 0.95) };
}
