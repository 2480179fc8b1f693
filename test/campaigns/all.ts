/** Every campaign. */
import { backups } from './backups.ts';
import type { Campaign } from './campaign.ts';
import { diskFull } from './disk-full.ts';
import { kill } from './kill.ts';
import { logSize } from './log-size.ts';
import { lostFile } from './lost-file.ts';
import { synced } from './synced.ts';
import { tornLog } from './torn-log.ts';
import { unusable } from './unusable.ts';

// biome-ignore lint/suspicious/noExplicitAny: each campaign has a scale of its own, which only it looks into.
export const campaigns: readonly Campaign<any>[] = [
	kill,
	tornLog,
	logSize,
	synced,
	diskFull,
	lostFile,
	unusable,
	backups,
];
