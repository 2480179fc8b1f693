/** Every campaign. */
import { busy } from './busy.ts';
import type { Campaign } from './campaign.ts';
import { canary } from './canary.ts';
import { slowClients } from './slow-clients.ts';
import { soak } from './soak.ts';
import { stop } from './stop.ts';

// biome-ignore lint/suspicious/noExplicitAny: each campaign has a scale of its own, which only it looks into.
export const campaigns: readonly Campaign<any>[] = [busy, canary, slowClients, soak, stop];
