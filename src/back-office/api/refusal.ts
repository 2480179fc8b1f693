import type { Static } from '@sinclair/typebox';
import type { Failure } from '../../platform/http/reply.ts';
import type { ReasonCode } from '../../platform/vocabulary/reasons.ts';
import { showShortTime } from './time.ts';

type Envelope = Static<typeof Failure>['error'];

type Detail = Envelope['details'][number];

/** The part of an envelope that pages use. A refusal made by a page has no code. */
type Failed = Pick<Envelope, 'message' | 'details'> & Partial<Pick<Envelope, 'code'>>;

/** Messages for people that replace the server's, by the reason. */
const shown: { [Reason in ReasonCode]?: string } = {
	token_invalid: '登录已失效，请重新登录',
	token_ended: '登录已失效，请重新登录',
	token_expired: '登录已过期，请重新登录',
	account_gone: '账号已被删除',
	// A form offers only what exists, so the choice was deleted since. The server's message lists codes.
	not_one_of: '所选的内容已被删除，请重新选择',
};

function messageOf({ code, message, details: [first] }: Failed): string {
	if (code === 'VALIDATION_ERROR') return '请检查填写的内容';
	return (first && shown[first.reason]) ?? message;
}

/** The author and time of a change, as far as the service names them: `王芳 15:32`. */
export function authorOf({ by, at }: Pick<Detail, 'by' | 'at'> = {}): string {
	return by === undefined || at === undefined ? '他人' : `${by} ${showShortTime(at)}`;
}

/** A colleague's change to a field: `王芳 15:32 将手机号改为“13900139000”`. */
export function changeOf(detail: Parameters<typeof authorOf>[0], label: string, value: string | null): string {
	return `${authorOf(detail)} ${value ? `将${label}改为“${value}”` : `清空了${label}`}`;
}

/** A detail with its message for people. It names the author of a colleague's change. */
function forPeople(detail: Detail): Detail {
	const { value, reason } = detail;
	if (value === undefined) return { ...detail, message: shown[reason] ?? detail.message };
	return { ...detail, message: `${authorOf(detail)} ${value === null ? '已清空' : `改为“${value}”`}` };
}

/** A request that failed, with the messages of the server. */
export class Refusal extends Error {
	/** The HTTP status; 0 if there was no answer. */
	readonly status: number;
	readonly details: Envelope['details'];
	/** The time of the next attempt, in milliseconds since 1970, where the server gives one. */
	readonly retryAt: number | undefined;

	constructor(status: number, failed: Failed, retryAt?: number) {
		super(messageOf(failed));
		this.status = status;
		this.details = failed.details.map(forPeople);
		this.retryAt = retryAt;
	}

	/** Whether the same request can succeed a moment later. */
	get isTemporary(): boolean {
		return this.status === 0 || (this.status >= 502 && this.status <= 504);
	}

	/** Whether a detail has one of these reasons. */
	has(...reasons: ReasonCode[]): boolean {
		return this.details.some(({ reason }) => reasons.includes(reason));
	}

	/** The detail about a field of the body. */
	about(field: string): Detail | undefined {
		return this.details.find(({ path }) => path === `body.${field}`);
	}
}

/** The refusal in an answer with this body, or without an answer. A proxy may have sent it, without an error envelope. */
export function refusalFrom(answer: Response | undefined, body?: unknown): Refusal {
	const { status = 0, headers } = answer ?? {};
	const seconds = headers?.get('retry-after');
	const message = status === 0 ? '无法连接服务器' : `服务器返回了意外的结果（${status}）`;
	const envelope = isEnvelope(body) ? body.error : { message, details: [] };
	return new Refusal(status, envelope, seconds ? Date.now() + Number(seconds) * 1000 : undefined);
}

function isEnvelope(body: unknown): body is { error: Envelope } {
	return typeof body === 'object' && body !== null && 'error' in body;
}

/** Any failure as a refusal. */
export function asRefusal(error: unknown): Refusal {
	if (error instanceof Refusal) return error;
	return new Refusal(500, { message: error instanceof Error ? error.message : String(error), details: [] });
}
