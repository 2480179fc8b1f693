import { AppError } from '../../platform/vocabulary/errors.ts';
import { because, type Reason } from '../../platform/vocabulary/reasons.ts';

/** Messages to end users on the sign-in page. */
export const openidMessages = {
	unknownClient: because('invalid_request', '打开此页的程序没有登记，请联系管理员'),
	unknownAddress: because('invalid_request', '返回地址没有登记，请联系管理员'),
	badRequest: because('invalid_request', '打开此页的请求有误，请从原来的程序重新登录'),
	otherSite: because('other_site', '请从登录页登录'),
	notAdmitted: (program: string) => because('not_admitted', `该账号不能登录“${program}”`),
} as const;

/** A refusal on the page, because the program to which it would be sent is not known. */
export const refusedOnPage = (reason: Reason) => new AppError('VALIDATION_ERROR', reason);

/** A refusal in the words of OAuth 2.0, for programs. A person reads only that the request is invalid. */
export class OAuthError extends AppError {
	/** The parameters of the answer. */
	readonly answer: { error: string; error_description: string };

	constructor(error: string, description: string) {
		super('VALIDATION_ERROR', openidMessages.badRequest);
		this.answer = { error, error_description: description };
	}

	/** The answer to a program that called by itself. */
	get response(): Response {
		const { error } = this.answer;
		const scheme = { invalid_client: 'Basic', invalid_token: 'Bearer' }[error];
		const headers = scheme ? { 'www-authenticate': `${scheme} realm="access", error="${error}"` } : {};
		return Response.json(this.answer, { status: scheme ? 401 : 400, headers });
	}
}

/** The state of the page, which it reads when it opens. */
export type OpenidPage =
	| { kind: 'SIGN_IN'; program: string; username: string | undefined; notice: string | undefined }
	| { kind: 'SIGN_OUT' }
	| { kind: 'SIGNED_OUT' }
	| { kind: 'ERROR'; notice: string };

/** The paths of the provider, below the issuer. */
export const paths = {
	discovery: '/.well-known/openid-configuration',
	jwks: '/openid/jwks',
	authorize: '/openid/authorize',
	token: '/openid/token',
	userinfo: '/openid/userinfo',
	revoke: '/openid/revoke',
	endSession: '/openid/end-session',
} as const;

export const scopes = ['openid', 'profile', 'phone', 'access', 'offline_access'] as const;

const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none'];

const idTokenClaims = ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'sid'];
/** Those that only userinfo has. */
const userinfoClaims = ['name', 'phone_number', 'account_type', 'store_id', 'store_name', 'roles', 'permissions'];

/** The abilities of the provider, in the words of the document of discovery. */
const supported = {
	scopes_supported: scopes,
	response_types_supported: ['code'],
	response_modes_supported: ['query'],
	grant_types_supported: ['authorization_code', 'refresh_token'],
	subject_types_supported: ['public'],
	id_token_signing_alg_values_supported: ['RS256'],
	token_endpoint_auth_methods_supported: clientAuthentication,
	revocation_endpoint_auth_methods_supported: clientAuthentication,
	code_challenge_methods_supported: ['S256'],
	prompt_values_supported: ['none', 'login'],
	claims_supported: [...idTokenClaims, ...userinfoClaims],
	ui_locales_supported: ['zh-CN'],
	authorization_response_iss_parameter_supported: true,
	claims_parameter_supported: false,
	request_parameter_supported: false,
	request_uri_parameter_supported: false,
};

/** The document of discovery (OpenID Connect Discovery, 3). */
export function metadataOf(issuer: string) {
	return {
		issuer,
		authorization_endpoint: issuer + paths.authorize,
		token_endpoint: issuer + paths.token,
		userinfo_endpoint: issuer + paths.userinfo,
		jwks_uri: issuer + paths.jwks,
		revocation_endpoint: issuer + paths.revoke,
		end_session_endpoint: issuer + paths.endSession,
		...supported,
	};
}

/** The lifetime of an access token and of an ID token, in seconds. */
export const accessTokenLifetime = 600;
