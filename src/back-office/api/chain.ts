import { answer, api } from './client.ts';
import { createValue } from './value.ts';

/** The chain's name: as the page was served, and then as it was given here; undefined without one. */
export const chainName = createValue(
	document.querySelector<HTMLMetaElement>('meta[name="chain-name"]')?.content || undefined,
);

/** Gives the chain another name. */
export async function nameChain(name: string): Promise<void> {
	chainName.set((await answer(api.chain.put({ name }))).name ?? undefined);
}
