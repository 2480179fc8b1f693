/**
 * Random actions of people, programs and administrators around OpenID Connect, and a model that predicts whether each
 * request succeeds. The service runs in this process, because the campaign moves its clock by days.
 */
import { noLimits } from '../../src/identity/guard/attempts.ts';
import type { Service } from '../harness.ts';
import type { Body } from '../http.ts';
import {
	asking,
	Browser,
	issuer,
	postForm,
	proof,
	redirectUri,
	register,
	startWithOpenid,
	through,
	verifier,
} from '../openid-world.ts';
import { expectStatus, initialPassword } from '../world.ts';
import { branch, type Campaign, type Chance, counted, type Figures, type Tools } from './campaign.ts';
import { type AccessToken, type Grant, OpenidModel, type Person, type Program, type Session } from './openid-model.ts';

interface Scale {
	sequences: number;
}

const stepsEach = 60;

export const openid: Campaign<Scale> = {
	name: 'openid',
	claim:
		'whatever people, programs and administrators do in whatever order, a sign-in, a code and a token work exactly as long as they may',
	short: { sequences: 40 },
	full: { sequences: 2000 },
	shortSeed: 1,
	run: hold,
};

async function hold({ sequences }: Scale, { chance, report }: Tools): Promise<Figures> {
	const service = await startWithOpenid({ limits: noLimits });
	service.saveState();
	const tally = new Map<string, number>();
	for (let number = 1; number <= sequences; number += 1) {
		service.restoreState();
		const scene = await buildScene(service, branch(chance), tally);
		for (let step = 0; step < stepsEach; step += 1) {
			await scene.chance.pick(steps)(scene);
			if (scene.model.accessTokens.length > 0) await lookAt(scene, recent(scene, scene.model.accessTokens));
		}
		await lookAtAll(scene);
		if (number % 200 === 0) report(`${counted(number)} sequences`);
	}
	const never = mustCome.filter((outcome) => !tally.has(outcome));
	if (never.length > 0) throw new Error(`it never came to ${never.join('; ')}: this proves too little`);
	return {
		sequences: `${counted(sequences)} of ${stepsEach} steps`,
		...Object.fromEntries([...tally].map(([outcome, count]) => [outcome, counted(count)])),
	};
}

/** The answers that a meaningful run must include. */
const mustCome = `
	sign-in: 200, sign-in: 401, sign-in: 403, authorize: code, authorize: page, authorize: login_required,
	authorize: access_denied, code: tokens, code: invalid_grant, refresh: tokens, refresh: invalid_grant,
	two refreshes: 200,400, sign-out: SIGNED_OUT, sign-out: SIGN_OUT, access token: 200, access token: 401`
	.trim()
	.split(/,\s+/);

/** A browser, and the session of its cookie. */
interface Seat {
	browser: Browser;
	session: Session | undefined;
}

/** A chain in which people sign in to programs. */
interface Scene {
	service: Service;
	chance: Chance;
	model: OpenidModel;
	people: Person[];
	programs: Program[];
	seats: Seat[];
	roleId: number;
	/** Compares an answer with what the model says, and counts it. */
	judge(what: string, happened: string | number, expected: string | number): void;
}

async function buildScene(service: Service, chance: Chance, tally: Map<string, number>): Promise<Scene> {
	const done: string[] = [];
	function judge(what: string, happened: string | number, expected: string | number): void {
		const outcome = `${what}: ${expected}`;
		done.push(outcome);
		if (happened !== expected)
			throw new Error(`${what}: ${happened} instead of ${expected}, after\n${done.slice(-30).join('\n')}`);
		tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
	}
	const seats = Array.from({ length: 3 }, () => ({ browser: new Browser(service), session: undefined }));
	const roleId: number = (await service.addRole('store:view')).id;
	const scene: Scene = { service, chance, model: new OpenidModel(), people: [], programs: [], seats, roleId, judge };
	pass(scene, 0);
	for (const isAdmitted of [true, false, true]) {
		const store = { id: (await service.addStore()).id as number, isActive: true };
		const { id, phone } = await service.addEmployee(store.id, isAdmitted ? [roleId] : []);
		scene.people.push({ id, phone, store, isActive: true, isAdmitted, version: 1 });
	}
	for (const fields of [{}, { isPublic: true }, { signInPermission: 'store:view' }]) await addProgram(scene, fields);
	return scene;
}

async function addProgram({ service, programs }: Scene, fields: object): Promise<void> {
	const registered = await register(service, fields);
	programs.push({ ...registered, isLive: true, asksPermission: 'signInPermission' in fields });
}

function pass({ service, model }: Scene, seconds: number): void {
	service.tick(seconds);
	model.now = service.time.getTime() / 1000;
}

/** A value, mostly one of the newest. */
function recent<T>({ chance }: Scene, values: readonly T[]): T {
	return chance.pick(chance.below(3) === 0 ? values : values.slice(-4));
}

/** Returns the good values most of the time, if there are any. */
function preferably<T>({ chance }: Scene, values: readonly T[], isGood: (value: T) => boolean): readonly T[] {
	const good = values.filter(isGood);
	return good.length > 0 && chance.below(4) > 0 ? good : values;
}

/** A request to sign in, and whether it asks for refresh tokens. */
function anyRequest({ chance }: Scene, program: Program, parameters: Record<string, string> = {}) {
	const isKept = chance.below(3) > 0;
	return { asked: asking(program, { scope: isKept ? everything : 'openid access', ...parameters }), isKept };
}

const everything = 'openid profile access offline_access';

const codeIn = (address: string) => new URL(address).searchParams.get('code') ?? '';

async function signIn(scene: Scene): Promise<void> {
	const { service, chance, model, judge } = scene;
	const [seat, person, program] = [chance.pick(scene.seats), chance.pick(scene.people), recent(scene, scene.programs)];
	const isRight = chance.below(8) > 0;
	const { asked, isKept } = anyRequest(scene, program);
	const credentials = { username: person.phone, password: isRight ? initialPassword : 'wrong-password' };
	const answer = await seat.browser.post('sign-in', asked, credentials);
	const isAccepted = isRight && model.mayWork(person);
	const expected = !program.isLive ? 400 : !isAccepted ? 401 : model.mayEnter(person, program) ? 200 : 403;
	judge('sign-in', answer.status, expected);
	if (expected !== 200 && expected !== 403) return;
	const [newest] = service.rows('select max(id) as id from sign_ins');
	seat.session = model.begin(seat.session, person, newest?.id);
	const { data } = (await answer.json()) as Body;
	if (expected === 200) model.grant(program, seat.session, codeIn(data.location), isKept);
}

async function authorize(scene: Scene): Promise<void> {
	const { chance, model, judge } = scene;
	const [seat, program] = [chance.pick(scene.seats), recent(scene, scene.programs)];
	const prompt = chance.pick(['', 'none', 'none', 'login']);
	const maxAge = chance.pick([Number.POSITIVE_INFINITY, 600]);
	const { asked, isKept } = anyRequest(scene, program, { prompt, max_age: maxAge === 600 ? '600' : '' });
	const session = prompt === 'login' ? undefined : model.signedIn(seat.session, maxAge);
	const answer = await seat.browser.send(asked);
	const location = answer.headers.get('location');
	const { code, error } = Object.fromEntries(new URL(location ?? issuer).searchParams);
	const happened = answer.status === 200 ? 'page' : ((code && 'code') ?? error ?? answer.status);
	judge('authorize', happened, verdict());
	if (session && code) model.grant(program, session, code, isKept);

	function verdict() {
		if (!program.isLive) return 400;
		if (session && model.mayEnter(session.person, program)) return 'code';
		if (prompt !== 'none') return 'page';
		return session ? 'access_denied' : 'login_required';
	}
}

/** The program that sends a request about a grant: mostly its own. */
function senderOf(scene: Scene, { program }: Grant): Program {
	return scene.chance.below(12) === 0 ? scene.chance.pick(scene.programs) : program;
}

async function redeemCode(scene: Scene): Promise<void> {
	const { chance, model } = scene;
	if (model.grants.length === 0) return;
	const unused = preferably(scene, model.grants, ({ isRedeemed, isOver }) => !isRedeemed && !isOver);
	const grant = recent(scene, unused);
	const sender = senderOf(scene, grant);
	const flaws = [{ code_verifier: 'x'.repeat(43) }, { redirect_uri: `${redirectUri}x` }];
	const flaw = chance.pick([...Array<object>(5).fill({}), ...flaws]);
	const form = { code: grant.code, code_verifier: verifier, redirect_uri: redirectUri };
	const isGenuine = sender === grant.program && Object.keys(flaw).length === 0 && !grant.isRedeemed;
	await redeem(scene, 'code', grant, sender, { grant_type: 'authorization_code', ...form, ...flaw }, isGenuine);
}

async function refresh(scene: Scene): Promise<void> {
	const grants = scene.model.grants.filter(({ refreshTokens }) => refreshTokens.length > 0);
	if (grants.length === 0) return;
	const grant = recent(
		scene,
		preferably(scene, grants, (each) => scene.model.works(each)),
	);
	const sender = senderOf(scene, grant);
	const newest = grant.refreshTokens.at(-1) ?? '';
	const token = scene.chance.below(6) === 0 ? scene.chance.pick(grant.refreshTokens) : newest;
	const form = { grant_type: 'refresh_token', refresh_token: token };
	await redeem(scene, 'refresh', grant, sender, form, sender === grant.program && token === newest);
}

async function redeem(
	{ service, model, judge }: Scene,
	what: string,
	grant: Grant,
	sender: Program,
	form: Record<string, string>,
	isGenuine: boolean,
): Promise<void> {
	const { status, body } = await postForm(service, 'token', { ...form, ...proof(sender) });
	const happened = status === 200 ? 'tokens' : body.error;
	if (!sender.isLive) return judge(what, happened, 'invalid_client');
	judge(what, happened, model.redeem(grant, isGenuine) ? 'tokens' : 'invalid_grant');
	if (status === 200) model.receive(grant, body.access_token, body.id_token, body.refresh_token);
}

/** Sends a refresh token twice at once: it works once, and then ends. */
async function refreshTwice(scene: Scene): Promise<void> {
	const { service, model, judge } = scene;
	const grants = model.grants.filter((grant) => grant.refreshTokens.length > 0 && model.works(grant));
	if (grants.length === 0) return;
	const grant = recent(scene, grants);
	const form = { grant_type: 'refresh_token', refresh_token: grant.refreshTokens.at(-1), ...proof(grant.program) };
	const both = await Promise.all([postForm(service, 'token', form), postForm(service, 'token', form)]);
	judge('two refreshes', String(both.map(({ status }) => status).toSorted()), '200,400');
	for (const { status, body } of both)
		if (status === 200) model.receive(grant, body.access_token, body.id_token, body.refresh_token);
	grant.isOver = true;
}

async function revoke(scene: Scene): Promise<void> {
	const { service, chance, model, judge } = scene;
	if (model.accessTokens.length === 0) return;
	const { text, grant } = recent(scene, model.accessTokens);
	const sender = senderOf(scene, grant);
	const token = chance.pick([text, ...grant.refreshTokens]);
	const { status } = await postForm(service, 'revoke', { token, ...proof(sender) });
	judge('revocation', status, sender.isLive ? 200 : 401);
	if (sender.isLive && sender === grant.program) grant.isOver = true;
}

async function signOut(scene: Scene): Promise<void> {
	const { chance, model, judge } = scene;
	const seat = chance.pick(scene.seats);
	const known = model.known(seat.session);
	const url = new URL(`${issuer}/openid/end-session`);
	if (chance.below(2) === 0 || model.accessTokens.length === 0) {
		judge('confirmed sign-out', (await seat.browser.post('sign-out', url, {})).status, 200);
		if (known) model.end(known);
		seat.session = undefined;
		return;
	}
	const { grant } = recent(scene, model.accessTokens);
	url.searchParams.set('id_token_hint', grant.idToken);
	const { kind } = (await (await seat.browser.send(url)).json()) as Body;
	const isProven = !known || known === grant.session;
	judge('sign-out', kind, isProven ? 'SIGNED_OUT' : 'SIGN_OUT');
	if (!isProven) return;
	model.end(grant.session);
	seat.session = undefined;
}

/** The owner of a sign-in ends it at `/me/`. */
async function endSignIn({ service, chance, model }: Scene): Promise<void> {
	const lasting = model.signIns.filter(({ person, signIn }) => !signIn.isEnded && model.mayWork(person));
	if (lasting.length === 0) return;
	const { person, signIn } = chance.pick(lasting);
	const path = `/api/auth/me/sign-ins/${signIn.id}`;
	const { status } = await service.send('DELETE', path, { token: service.tokenOf(person.id) });
	// A sign-in from before a new password is over already: 404.
	if (status === 204) signIn.isEnded = true;
	else if (status !== 404) throw new Error(`${path}: ${status}`);
}

const statusOf = (isActive: boolean) => ({ status: isActive ? 'ACTIVE' : 'INACTIVE' });

/** Changes an account, its store, its role or its password, as an administrator. */
async function administrate({ service, chance, people, roleId }: Scene): Promise<void> {
	const person = chance.pick(people);
	const path = `/api/employees/${person.id}`;
	const ask = async (where: string, body?: object) => expectStatus(await service.asSuper('PATCH', where, body), 200);
	const acts = [
		async () => {
			person.isActive = !person.isActive;
			await ask(`${path}/status`, statusOf(person.isActive));
		},
		async () => {
			person.store.isActive = !person.store.isActive;
			await ask(`/api/stores/${person.store.id}`, statusOf(person.store.isActive));
		},
		async () => {
			person.isAdmitted = !person.isAdmitted;
			await ask(path, { roleIds: person.isAdmitted ? [roleId] : [] });
		},
		async () => {
			person.version += 1;
			await ask(`${path}/password/reset`);
		},
	];
	await chance.pick(acts)();
}

/** Changes whether a program requires the permission, or replaces the program. */
async function changeProgram(scene: Scene): Promise<void> {
	const { service, chance } = scene;
	const program = chance.pick(scene.programs.filter(({ isLive }) => isLive));
	const path = `/api/programs/${program.id}`;
	if (chance.below(2) === 0) {
		program.asksPermission = !program.asksPermission;
		const body = { signInPermission: program.asksPermission ? 'store:view' : null };
		expectStatus(await service.asSuper('PATCH', path, body), 200);
		return;
	}
	program.isLive = false;
	expectStatus(await service.asSuper('DELETE', path), 204);
	await addProgram(scene, { isPublic: chance.below(2) === 0 });
}

/** Lets seconds, minutes, hours or days pass. */
function wait(scene: Scene): void {
	pass(scene, scene.chance.pick([1, 1, 30, 30, 61, 300, 300, 601, 3600, 13 * 3600, 13 * 86_400]));
}

/** Looks at an access token as a program does, at the provider and at the service. */
async function lookAt({ service, model, judge }: Scene, token: AccessToken): Promise<void> {
	const headers = { authorization: `Bearer ${token.text}` };
	const { status } = await through(service)(`${issuer}/openid/userinfo`, { headers });
	judge('access token', status, model.tokenWorks(token) ? 200 : 401);
	judge('access token', (await service.send('GET', '/api/auth/me', { token: token.text })).status, status);
}

/** At the end, checks everything that was ever issued, and every sign-in that its owner sees. */
async function lookAtAll(scene: Scene): Promise<void> {
	const { service, model, judge } = scene;
	for (const token of model.accessTokens) await lookAt(scene, token);
	for (const { id, ends_at } of service.rows('select id, ends_at from sign_ins')) {
		const isListed = ends_at > service.time.toISOString();
		const { signIn } = model.signIns.find((each) => each.signIn.id === id) ?? {};
		const isUsed = model.grants.some((grant) => grant.signIn === signIn && model.works(grant));
		if (isUsed || signIn?.isEnded)
			judge(`sign-in ${isUsed ? 'in use' : 'ended'}`, isListed ? 'listed' : 'gone', isUsed ? 'listed' : 'gone');
	}
}

/** The steps, by frequency. */
const steps: readonly ((scene: Scene) => Promise<void> | void)[] = [
	...[signIn, signIn, authorize, authorize, authorize, authorize, redeemCode, redeemCode, redeemCode, redeemCode],
	...[refresh, refresh, refresh, refresh, refreshTwice, revoke, signOut, endSignIn, administrate, changeProgram],
	...[wait, wait],
];
