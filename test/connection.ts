/**
 * HTTP/1.1 as bytes on a socket: for requests that no proper client sends, for raw answers, and for measurements without
 * the cost of a client.
 */
import { connect, type Socket } from 'node:net';

export interface WireAnswer {
	status: number;
	/** The status line and the headers. */
	head: string;
	text: string;
}

/** The parts of a request. A text as `body` is sent unchanged, any other value as JSON. */
export interface WireRequest {
	method: string;
	path: string;
	token?: string | undefined;
	body?: unknown;
	/** Replace the usual headers of the same name (in lower case). */
	headers?: Record<string, string>;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** A connection that stays open until one side closes it. */
export class Connection {
	/** Resolves when the server closes the connection, or {@link close} is called. */
	readonly closed: Promise<void>;
	isClosed = false;
	readonly #socket: Socket;
	#received: Buffer = Buffer.alloc(0);
	/** Wakes the code that waits for bytes or for the end. */
	#wake: () => void = () => {};

	private constructor(socket: Socket) {
		this.#socket = socket;
		this.closed = new Promise((resolve) => {
			socket.once('close', () => {
				this.isClosed = true;
				this.#wake();
				resolve();
			});
		});
		socket.on('data', (bytes: Buffer) => {
			this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
			this.#wake();
		});
		// A reset is followed by a close event.
		socket.on('error', () => {});
	}

	/** Connects to a server such as `http://127.0.0.1:3000`. @throws Error when it is refused. */
	static open(url: string | URL): Promise<Connection> {
		const { hostname, port } = new URL(url);
		return new Promise((resolve, reject) => {
			const socket = connect(Number(port), hostname);
			socket.setNoDelay(true);
			socket.once('error', reject);
			socket.once('connect', () => resolve(new Connection(socket)));
		});
	}

	/** Sends bytes unchanged. */
	write(content: string | Buffer): void {
		if (!this.isClosed) this.#socket.write(content);
	}

	close(): void {
		this.#socket.destroy();
	}

	/** Sends a request. Returns its answer, or undefined if the connection ends without one. */
	ask(request: WireRequest): Promise<WireAnswer | undefined> {
		this.write(wireTextOf(request));
		return this.answer();
	}

	/** Returns the next answer, or undefined if the connection ends first. */
	async answer(): Promise<WireAnswer | undefined> {
		for (;;) {
			const answer = this.#take();
			if (answer || this.isClosed) return answer;
			await this.#more();
		}
	}

	/** Sends a text and reads until the server closes. The last request in it must ask for that. */
	async exchange(text: string): Promise<WireAnswer[]> {
		this.write(text);
		await this.closed;
		const answers: WireAnswer[] = [];
		for (let answer = this.#take(); answer; answer = this.#take()) answers.push(answer);
		return answers;
	}

	/** The received bytes of an incomplete answer, as latin-1 text. */
	get rest(): string {
		return this.#received.toString('latin1');
	}

	#more(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
		});
	}

	#take(): WireAnswer | undefined {
		const headLength = this.#received.indexOf(endOfHead);
		if (headLength < 0) return undefined;
		const head = this.#received.toString('latin1', 0, headLength);
		const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
		if (Number.isNaN(status)) return undefined;
		const start = headLength + endOfHead.length;
		const length = status === 204 ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
		const end = start + length;
		if (this.#received.length < end) return undefined;
		const text = this.#received.toString('utf8', start, end);
		this.#received = this.#received.subarray(end);
		return { status, head, text };
	}
}

/** Formats a request for the wire. */
export function wireTextOf({ method, path, token, body, headers = {} }: WireRequest): string {
	const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
	const all: Record<string, string> = {
		host: '127.0.0.1',
		...(token !== undefined && { authorization: `Bearer ${token}` }),
		...(content !== undefined && {
			'content-type': 'application/json',
			'content-length': String(Buffer.byteLength(content)),
		}),
		...headers,
	};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content ?? ''}`;
}
