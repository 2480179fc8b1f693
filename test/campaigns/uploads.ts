/** Whether thousands of slow uploads to a sign-in route fill the memory, or keep anybody from signing in. */
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '../connection.ts';
import { Server } from '../server.ts';
import { adminPassword, adminUsername } from '../world.ts';
import { type Campaign, quantile } from './campaign.ts';
import { requireDescriptors, residentMegabytes } from './vitals.ts';

interface Scale {
	connections: number;
	/** How often each connection sends a piece, every 100 ms. */
	pieces: number;
}

const memoryLimit = 300;
const megabyte = 1_048_576;
const piece = 8192;

const head = (length: string) =>
	`POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** The ways to upload: what begins a request, and what each piece of it is. */
const ways = {
	'1 MiB, declared': [head(`Content-Length: ${megabyte}`), 'x'.repeat(piece)],
	'1 MiB in chunks': [head('Transfer-Encoding: chunked'), chunk('x'.repeat(piece))],
	'chunks of one byte': [head('Transfer-Encoding: chunked'), chunk('x').repeat(32)],
	'16 KiB that never end': [head('Content-Length: 16384'), 'x'.repeat(100)],
} as const;

/** Uploads in every way, one way after the other. */
export const uploads: Campaign<Scale> = {
	name: 'uploads',
	claim: `five thousand slow uploads to a sign-in route take less than ${memoryLimit} MB, and people sign in beside them`,
	short: { connections: 150, pieces: 3 },
	full: { connections: 5000, pieces: 100 },
	async run(scale, report) {
		requireDescriptors(scale.connections + 200);
		const figures: Record<string, string> = {};
		for (const [way, [begin, more]] of Object.entries(ways)) {
			figures[way] = await Server.with((server) => upload(server, scale, begin, more));
			report(`${way}: ${figures[way]}`);
		}
		return figures;
	},
};

async function upload(server: Server, { connections, pieces }: Scale, begin: string, more: string): Promise<string> {
	const crowd: Connection[] = [];
	while (crowd.length < connections) {
		const some = Array.from({ length: Math.min(50, connections - crowd.length) }, () => Connection.open(server.url));
		crowd.push(...(await Promise.all(some)));
	}
	const waits: number[] = [];
	let most = 0;
	try {
		for (const connection of crowd) connection.write(begin);
		for (let sent = 0; sent < pieces; sent += 1) {
			for (const connection of crowd) connection.write(more);
			await pause(100);
			most = Math.max(most, residentMegabytes(server.program.pid));
			if (most >= memoryLimit) throw new Error(`the program takes ${most} MB`);
			if (sent % 10 === 0) waits.push(await signIn(server));
		}
	} finally {
		for (const connection of crowd) connection.close();
	}
	return `at most ${most} MB; ${waits.length} sign-ins beside it, the slowest ${Math.round(quantile(waits, 1))} ms`;
}

/** How long a sign-in takes, in milliseconds. @throws Error when it is refused. */
async function signIn(server: Server): Promise<number> {
	const since = performance.now();
	const { status, text } = await server.send('POST', '/api/auth/login', {
		body: { username: adminUsername, password: adminPassword },
	});
	if (status !== 200) throw new Error(`a sign-in beside the uploads: ${status} ${text}`);
	return performance.now() - since;
}
