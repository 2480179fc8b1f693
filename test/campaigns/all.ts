/** Every campaign. */
import { authorization } from './authorization.ts';
import type { Campaigns } from './campaign.ts';
import { canary } from './canary.ts';
import { crowd } from './crowd.ts';
import { enumeration } from './enumeration.ts';
import { escalation } from './escalation.ts';
import { files } from './files.ts';
import { kill } from './kill.ts';
import { load } from './load.ts';
import { races } from './races.ts';
import { recover } from './recover.ts';
import { stalls } from './stalls.ts';

/** Campaigns by subject. Each group has a file with its short forms, which run in parallel. */
export const onFiles: Campaigns = [kill, recover];
export const onRights: Campaigns = [authorization, escalation, races];
export const byCallers: Campaigns = [enumeration, canary];
export const byLoad: Campaigns = [load, crowd, files, stalls];

export const campaigns: Campaigns = [...onFiles, ...onRights, ...byCallers, ...byLoad];
