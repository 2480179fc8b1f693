/** HTTP/1.1 over a socket of one's own: for requests that no proper client sends, and for figures without a client's own. */
import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface WireAnswer {
	status: number;
	/** The status line and the headers. */
	head: string;
	text: string;
}

/** What a request carries. `body` is sent as it stands when it is a text, else as JSON. */
export interface WireRequest {
	method: string;
	path: string;
	token?: string | undefined;
	body?: unknown;
	/** Instead of the usual ones where they have the same name (in lower case). */
	headers?: Record<string, string>;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** A connection that is kept alive until one of both ends it. */
export class Connection {
	/** Resolves when the server has ended it, or {@link close} was called. */
	readonly closed: Promise<void>;
	isClosed = false;
	readonly #socket: Socket;
	#received: Buffer = Buffer.alloc(0);
	#tell: () => void = () => {};

	private constructor(socket: Socket) {
		this.#socket = socket;
		this.closed = new Promise((resolve) => {
			socket.once('close', () => {
				this.isClosed = true;
				this.#tell();
				resolve();
			});
		});
		socket.on('data', (bytes: Buffer) => {
			this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
			this.#tell();
		});
		// A connection that is reset is closed next.
		socket.on('error', () => {});
	}

	/** Connects to a server such as `http://127.0.0.1:3000`. */
	static open(url: string): Promise<Connection> {
		const { hostname, port } = new URL(url);
		return new Promise((resolve, reject) => {
			const socket = connect(Number(port), hostname);
			socket.setNoDelay(true);
			socket.once('error', reject);
			socket.once('connect', () => resolve(new Connection(socket)));
		});
	}

	/** Sends bytes as they stand. */
	write(text: string): void {
		if (!this.isClosed) this.#socket.write(text);
	}

	close(): void {
		this.#socket.destroy();
	}

	/** Sends a whole request and waits for its answer; undefined when the connection ended without one. */
	ask(request: WireRequest): Promise<WireAnswer | undefined> {
		this.write(wireTextOf(request));
		return this.answer();
	}

	/** The next answer; undefined when the connection ended without one. */
	async answer(): Promise<WireAnswer | undefined> {
		for (;;) {
			const answer = this.#take();
			if (answer || this.isClosed) return answer;
			await new Promise<void>((resolve) => {
				this.#tell = resolve;
			});
		}
	}

	/** What was received and is no whole answer. */
	get rest(): string {
		return this.#received.toString();
	}

	#take(): WireAnswer | undefined {
		const headLength = this.#received.indexOf(endOfHead);
		if (headLength < 0) return undefined;
		const head = this.#received.toString('latin1', 0, headLength);
		const start = headLength + endOfHead.length;
		const end = start + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
		if (this.#received.length < end) return undefined;
		const text = this.#received.toString('utf8', start, end);
		this.#received = this.#received.subarray(end);
		return { status: Number(head.slice(9, 12)), head, text };
	}
}

/** A request as it goes over the wire. */
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
