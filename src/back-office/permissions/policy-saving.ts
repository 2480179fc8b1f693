import type { QueryClient } from '@tanstack/react-query';
import type { PermissionCode } from '../../platform/vocabulary/permissions.ts';
import type { Versioned } from '../api/client.ts';
import { asRefusal, authorOf } from '../api/refusal.ts';
import { maxRounds, overtaken } from '../forms/editing.tsx';
import { definitions, heldBy, type Policy, policyOf, replacePermissions, titleOf } from './permission-queries.ts';
import { chosenOf, clashesOf, effective, type Toggles } from './toggles.ts';

/**
 * Saves what the person switched. If a colleague was quicker, it goes on from what they saved.
 * @returns a sentence for each colleague who changed something meanwhile
 * @throws Refusal 412 when the two clash; the policy has been read again by then
 */
export async function savePolicy(
	client: QueryClient,
	seen: Versioned<Policy>,
	wanted: Toggles,
	others: readonly string[] = [],
): Promise<readonly string[]> {
	try {
		await replacePermissions(seen, chosenOf(heldBy(seen), wanted));
		return others;
	} catch (error) {
		const refusal = asRefusal(error);
		if (refusal.status !== 412) throw error;
		if (others.length === maxRounds) throw overtaken;
		const present = await client.fetchQuery({ ...policyOf(`${seen.roleId}`), staleTime: 0 });
		const [before, after] = [heldBy(seen), heldBy(present)];
		if (clashesOf(before, after, wanted).length > 0) throw error;
		const known = await client.fetchQuery(definitions);
		const difference = differenceOf(before, after, (code) => titleOf(known, code));
		const other = `${authorOf(refusal.detailOf('permissions'))} ${difference}`;
		return savePolicy(client, present, effective(after, wanted), [...others, other]);
	}
}

/** A colleague's change, as a sentence without its subject. */
function differenceOf(
	before: readonly PermissionCode[],
	after: readonly PermissionCode[],
	title: (code: PermissionCode) => string,
): string {
	const named = (verb: string, codes: readonly PermissionCode[]) =>
		codes.length === 0 ? [] : [`${verb}了${codes.map((code) => `“${title(code)}”`).join('、')}`];
	const added = after.filter((code) => !before.includes(code));
	const removed = before.filter((code) => !after.includes(code));
	return [...named('增加', added), ...named('移除', removed)].join('，') || '作了修改';
}
