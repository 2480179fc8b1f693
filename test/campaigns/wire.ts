/** HTTP as bytes on a socket: for requests that no client would send, and for what really comes back. */
import { connect } from 'node:net';

/** One answer as it came over the wire. */
export interface WireAnswer {
	status: number;
	head: string;
	body: string;
}

/** What came back. */
export interface Heard {
	answers: WireAnswer[];
	/** What is no whole answer. */
	rest: string;
	/** Whether the other side closed the connection. */
	closed: boolean;
}

/** For how many milliseconds of silence the other side is listened to: until it first speaks, and after that. */
export interface Patience {
	first: number;
	more: number;
}

/** Bytes, one for each character of up to U+00FF. */
export function bytesOfText(text: string): Buffer {
	return Buffer.from(text, 'latin1');
}

/**
 * Writes bytes to a port of this machine, piece by piece, and listens until the other side closes, or is silent for too
 * long.
 */
export function overWire(port: number, pieces: readonly Buffer[], { first, more }: Patience): Promise<Heard> {
	const { promise, resolve } = Promise.withResolvers<Heard>();
	const received: Buffer[] = [];
	let closed = false;
	const socket = connect({ port, host: '127.0.0.1', noDelay: true });
	const end = () => {
		socket.destroy();
		resolve({ ...answersIn(Buffer.concat(received).toString('latin1')), closed });
	};
	socket.setTimeout(first, end);
	socket.on('data', (data: Buffer) => {
		received.push(data);
		socket.setTimeout(more);
	});
	// What cannot be written any more was refused.
	socket.on('error', () => {});
	socket.on('close', () => {
		closed = true;
		end();
	});
	socket.on('connect', async () => {
		for (const piece of pieces) {
			if (socket.destroyed) return;
			if (!socket.write(piece)) await drained(socket);
			if (pieces.length > 1) await new Promise((next) => setTimeout(next, 1));
		}
	});
	return promise;
}

function drained(socket: ReturnType<typeof connect>): Promise<void> {
	return new Promise((resolve) => {
		socket.once('drain', resolve);
		socket.once('close', resolve);
	});
}

/** Takes a stream apart into answers. */
export function answersIn(stream: string): Pick<Heard, 'answers' | 'rest'> {
	const answers: WireAnswer[] = [];
	let rest = stream;
	for (;;) {
		const endOfHead = rest.indexOf('\r\n\r\n');
		const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(rest)?.[1]);
		if (endOfHead < 0 || Number.isNaN(status)) return { answers, rest };
		const head = rest.slice(0, endOfHead);
		const length = status === 204 ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
		const start = endOfHead + 4;
		if (rest.length < start + length) return { answers, rest };
		answers.push({ status, head, body: rest.slice(start, start + length) });
		rest = rest.slice(start + length);
	}
}
