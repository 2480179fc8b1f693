/**
 * A model of what OpenID Connect must allow and refuse, in flags and times. Each step of the campaign asks the model first,
 * then the service.
 */

const [minute, hour, day] = [60, 3600, 86_400];

export interface Person {
	id: number;
	phone: string;
	isActive: boolean;
	store: { id: number; isActive: boolean };
	/** Whether the person has the permission that some programs need. */
	isAdmitted: boolean;
	/** Changes with each new password. */
	version: number;
}

export interface Program {
	id: number;
	clientId: string;
	secret: string | undefined;
	isLive: boolean;
	asksPermission: boolean;
}

interface SignIn {
	id: number;
	isEnded: boolean;
}

export interface Session {
	person: Person;
	version: number;
	signIn: SignIn;
	signedInAt: number;
	isOver: boolean;
}

export interface Grant {
	program: Program;
	session: Session;
	/** The session's version at that time. The session may change or end. */
	version: number;
	signIn: SignIn;
	code: string;
	isRedeemed: boolean;
	/** Whether the program asked for refresh tokens. */
	isKept: boolean;
	/** All refresh tokens, the newest last. */
	refreshTokens: string[];
	idToken: string;
	createdAt: number;
	endsAt: number;
	isOver: boolean;
}

export interface AccessToken {
	text: string;
	grant: Grant;
	endsAt: number;
}

export class OpenidModel {
	/** In seconds. */
	now = 0;
	readonly grants: Grant[] = [];
	readonly accessTokens: AccessToken[] = [];
	readonly signIns: { person: Person; signIn: SignIn }[] = [];

	mayWork({ isActive, store }: Person): boolean {
		return isActive && store.isActive;
	}

	mayEnter({ isAdmitted }: Person, { asksPermission }: Program): boolean {
		return isAdmitted || !asksPermission;
	}

	/** The session of a browser's cookie, while the service knows it. */
	known(session: Session | undefined): Session | undefined {
		return session && !session.isOver && this.now < session.signedInAt + 12 * hour ? session : undefined;
	}

	/** Returns the session of a browser with a sign-in at most `maxAge` seconds ago. */
	signedIn(session: Session | undefined, maxAge = Number.POSITIVE_INFINITY): Session | undefined {
		const known = this.known(session);
		if (!known || this.now - known.signedInAt >= maxAge) return undefined;
		const { person, version, signIn } = known;
		return this.mayWork(person) && version === person.version && !signIn.isEnded ? known : undefined;
	}

	works({ isOver, endsAt, program, session: { person }, version, signIn }: Grant): boolean {
		const isSignedIn = version === person.version && !signIn.isEnded && this.mayWork(person);
		return !isOver && this.now < endsAt && program.isLive && isSignedIn && this.mayEnter(person, program);
	}

	tokenWorks({ grant, endsAt }: AccessToken): boolean {
		return this.now < endsAt && this.works(grant);
	}

	/** Signs a person in at a browser's page. @returns the browser's session */
	begin(before: Session | undefined, person: Person, signInId: number): Session {
		const signIn = { id: signInId, isEnded: false };
		this.signIns.push({ person, signIn });
		const known = this.known(before);
		const goesOn = known?.person === person && known.version === person.version && !known.signIn.isEnded;
		if (!known || !goesOn) {
			if (known) this.end(known);
			return { person, version: person.version, signIn, signedInAt: this.now, isOver: false };
		}
		known.signIn.isEnded = true;
		for (const grant of this.grantsOf(known)) grant.signIn = signIn;
		return Object.assign(known, { signIn, signedInAt: this.now });
	}

	/** Ends a session and its grants, and their sign-in if any of them still lasts. */
	end(session: Session): void {
		const lasts = ({ isOver, endsAt }: Grant) => !isOver && this.now < endsAt;
		if (this.known(session) || this.grantsOf(session).some(lasts)) session.signIn.isEnded = true;
		session.isOver = true;
		for (const grant of this.grantsOf(session)) grant.isOver = true;
	}

	private grantsOf(session: Session): Grant[] {
		return this.grants.filter((grant) => grant.session === session);
	}

	grant(program: Program, session: Session, code: string, isKept: boolean): Grant {
		const { version, signIn } = session;
		const fresh = { isRedeemed: false, refreshTokens: [], idToken: '', isOver: false };
		const times = { createdAt: this.now, endsAt: this.now + minute };
		const grant = { program, session, version, signIn, code, isKept, ...fresh, ...times };
		this.grants.push(grant);
		return grant;
	}

	/** Redeems a code or a refresh token. @returns whether the program must get tokens; if not, the grant is over */
	redeem(grant: Grant, isGenuine: boolean): boolean {
		const succeeds = isGenuine && this.works(grant);
		if (succeeds) {
			grant.isRedeemed = true;
			const unused = this.now + (grant.isKept ? 14 * day : 10 * minute);
			grant.endsAt = Math.min(unused, grant.createdAt + 90 * day);
		} else grant.isOver = true;
		return succeeds;
	}

	/** Stores received tokens. */
	receive(grant: Grant, text: string, idToken: string, refreshToken: string | undefined): void {
		this.accessTokens.push({ text, grant, endsAt: this.now + 10 * minute });
		grant.idToken = idToken;
		if (refreshToken !== undefined) grant.refreshTokens.push(refreshToken);
	}
}
