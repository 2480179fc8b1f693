/** A disk that is filled under the running program and then freed again. */
import { join } from 'node:path';
import { Server } from '../server.ts';
import type { Campaign, Figures, Tools } from './campaign.ts';
import { SmallDisk } from './small-disk.ts';
import { Writers } from './writers.ts';

interface Scale {
	/** How many times it is filled. */
	rounds: number;
	/** How many writes are refused in each. */
	refusals: number;
	/** How many writes at most succeed before: so that the disk fills at every length of the log. */
	writes: number;
}

export const diskFull: Campaign<Scale> = {
	name: 'disk-full',
	claim:
		'on a full disk writes are refused and leave nothing, reads continue, and everything recovers once there is space',
	short: { rounds: 2, refusals: 8, writes: 16 },
	full: { rounds: 60, refusals: 60, writes: 400 },
	async run(scale, tools) {
		// At the end the database has 16 MiB, and its log 9.
		using disk = new SmallDisk(48);
		const work = (server: Server) => fillAgainAndAgain(disk, server, scale, tools);
		return await Server.with(work, { DATA_DIR: join(disk.path, 'data') });
	},
};

async function fillAgainAndAgain(
	disk: SmallDisk,
	server: Server,
	scale: Scale,
	{ chance, report }: Tools,
): Promise<Figures> {
	const writers = new Writers(server, 4, chance);
	let reads = 0;
	const writeOrRead = async (client: number) => {
		if (await writers.write(client)) return;
		await writers.requireReads();
		await writers.read('/health');
		reads += 1;
	};
	for (let round = 1; round <= scale.rounds; round += 1) {
		const acknowledged = writers.acknowledged + chance.below(scale.writes);
		await writers.each(writeOrRead, () => writers.acknowledged >= acknowledged);
		disk.fill(chance.below(256 * 1024));
		const refused = writers.refused + scale.refusals;
		const fillAndWrite = async (client: number) => {
			await writeOrRead(client);
			disk.fill(0);
		};
		await writers.each(fillAndWrite, () => writers.refused >= refused);
		writers.requireStored();
		disk.makeRoom();
		await writers.requireRecovered();
		report(`filled ${round} times`);
	}
	return {
		'times filled': scale.rounds,
		'acknowledged writes': writers.acknowledged,
		'refused writes': writers.refused,
		'reads meanwhile': reads,
		'rows of refused writes': 0,
	};
}
