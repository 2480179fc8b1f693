/** Whether a server that works for long leaks memory or file descriptors. */
import { setTimeout as pause } from 'node:timers/promises';
import { Server } from '../server.ts';
import { type Campaign, quantile } from './campaign.ts';
import { Traffic, type TrafficScale } from './traffic.ts';
import { openDescriptors, residentMegabytes } from './vitals.ts';

interface Scale extends TrafficScale {
	clients: number;
	/** How much more memory may be held at the end than after the warm-up, in megabytes. */
	growth: number;
	/** How long nothing is sent before open files are counted, in milliseconds; an idle connection ends after ten seconds. */
	rest: number;
}

const samples = 200;

/** Compares the memory in the second fifth with the last fifth: by medians, because garbage collection varies. */
export const soak: Campaign<Scale> = {
	name: 'soak',
	claim: 'a million mixed requests leak neither memory nor file descriptors',
	// So few requests are all warm-up: they reveal only extreme growth.
	short: { requests: 2000, signIns: 8, clients: 12, growth: 100, rest: 200 },
	full: { requests: 1_000_000, signIns: 500, clients: 12, growth: 20, rest: 15_000 },
	async run(scale, report) {
		const server = await Server.start();
		try {
			return await soakServer(server, scale, report);
		} finally {
			await server.program.end();
		}
	},
};

async function soakServer(server: Server, scale: Scale, report: (step: string) => void) {
	const { pid } = server.program;
	const traffic = await Traffic.prepare(server);
	// Files that are opened once and kept, such as the database's log, are open after the first requests.
	await traffic.run({ requests: 200, signIns: 2 }, scale.clients);
	const descriptors = await descriptorsAtRest(pid, scale.rest);
	const memory: number[] = [residentMegabytes(pid)];
	let mostDescriptors = descriptors;
	const sampleEvery = Math.ceil(scale.requests / samples);
	let answers = 0;
	const started = performance.now();
	await traffic.run(scale, scale.clients, () => {
		answers += 1;
		if (answers % sampleEvery !== 0) return;
		memory.push(residentMegabytes(pid));
		mostDescriptors = Math.max(mostDescriptors, openDescriptors(pid));
		if (memory.length % 20 === 0)
			report(`${answers} requests, ${memory.at(-1)} MB, ${openDescriptors(pid)} descriptors`);
	});
	const seconds = (performance.now() - started) / 1000;
	const fifth = Math.floor(memory.length / 5);
	const early = quantile(memory.slice(fifth, 2 * fifth), 0.5);
	const late = quantile(memory.slice(-fifth), 0.5);
	if (late - early > scale.growth) {
		throw new Error(`memory grew from ${early} to ${late} MB (medians of the second and the last fifth): ${memory}`);
	}
	// As many connections as at any time while it worked, and those that were open before.
	if (mostDescriptors > descriptors + scale.clients + 4) {
		throw new Error(`${mostDescriptors} descriptors at work, ${descriptors} at rest, for ${scale.clients} clients`);
	}
	const after = await descriptorsAtRest(pid, scale.rest);
	if (after > descriptors) throw new Error(`${descriptors} descriptors at rest before, ${after} after`);
	return {
		requests: traffic.answered,
		'requests a second': Math.round(scale.requests / seconds),
		answers: JSON.stringify(traffic.statuses),
		'memory at first, median of the second fifth, of the last, most (MB)': `${memory[0]}, ${early}, ${late}, ${Math.max(...memory)}`,
		'descriptors at rest before, at work, at rest after': `${descriptors}, ${mostDescriptors}, ${after}`,
	};
}

/** How many are open once the clients and idle connections are gone. */
async function descriptorsAtRest(pid: number, rest: number): Promise<number> {
	await pause(rest);
	return openDescriptors(pid);
}
