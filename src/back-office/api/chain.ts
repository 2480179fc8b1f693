import { settingOf } from './base.ts';
import { answer, api } from './client.ts';
import { createValue } from './value.ts';

/** The chain's name when the page was served, or its new name after a change here; undefined without one. */
export const chainName = createValue(settingOf('chain-name'));

/** Changes the chain's name. */
export async function nameChain(name: string): Promise<void> {
	chainName.set((await answer(api.chain.put({ name }))).name ?? undefined);
}
