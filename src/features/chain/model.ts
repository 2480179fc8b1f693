import type { Static } from '@sinclair/typebox';
import { body, described, nullableText, shape, uniqueName } from '../../platform/http/fields.ts';
import { maxChainName } from '../../platform/vocabulary/limits.ts';

/** The chain as a whole. */
export const Chain = shape('Chain', {
	name: nullableText(described('The name that screens and files show; null without one.', '好邻居便利')),
});
export type Chain = Static<typeof Chain>;

/** The body of PUT /api/chain. */
export const NameChain = body('NameChain', 'The new name of the chain.', {
	name: uniqueName(maxChainName, '好邻居便利'),
});
export type NameChain = Static<typeof NameChain>;
