/** Every campaign. */
import type { Campaign } from './campaign.ts';
import { fuzz } from './fuzz.ts';
import { injection } from './injection.ts';
import { transport } from './transport.ts';

// biome-ignore lint/suspicious/noExplicitAny: each campaign has a scale of its own, which only it looks into.
export const campaigns: readonly Campaign<any>[] = [fuzz, transport, injection];
