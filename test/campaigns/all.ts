/** Every campaign. */
import { authorization } from './authorization.ts';
import type { Campaign } from './campaign.ts';
import { clock } from './clock.ts';
import { enumeration } from './enumeration.ts';
import { escalation } from './escalation.ts';
import { races } from './races.ts';
import { tokens } from './tokens.ts';

// biome-ignore lint/suspicious/noExplicitAny: each campaign has a scale of its own, which only it looks into.
export const campaigns: readonly Campaign<any>[] = [races, tokens, clock, authorization, escalation, enumeration];
