import type { QueryClient } from '@tanstack/react-query';
import type { PermissionCode } from '../../platform/vocabulary/permissions.ts';
import { answer, api, ifMatch, type Versioned } from '../api/client.ts';
import { asRefusal, authorOf, Refusal } from '../api/refusal.ts';
import { maxRounds, overtaken } from '../forms/editing.tsx';
import { definitions, heldBy, type Policy, policyOf, titleOf } from './permission-queries.ts';
import { chosenOf, type Toggles, undoesRemoval } from './toggles.ts';

/**
 * Saves what the person switched. If a colleague was quicker, it goes on from what they saved.
 * @returns a sentence for each colleague who changed something meanwhile
 * @throws Refusal when the two exclude each other; the policy has been read again by then
 */
export async function savePolicy(
	client: QueryClient,
	seen: Versioned<Policy>,
	wanted: Toggles,
	others: readonly string[] = [],
): Promise<readonly string[]> {
	const [{ roleId, version }, before] = [seen, heldBy(seen)];
	try {
		await answer(api.permissions.roles({ roleId }).put({ permissions: chosenOf(before, wanted) }, ifMatch(version)));
		return others;
	} catch (error) {
		const refusal = asRefusal(error);
		if (refusal.status !== 412) throw error;
		if (others.length === maxRounds) throw overtaken;
		const present = await client.fetchQuery({ ...policyOf(`${roleId}`), staleTime: 0 });
		const after = heldBy(present);
		const known = await client.fetchQuery(definitions);
		const difference = differenceOf(before, after, (code) => titleOf(known, code));
		const other = `${authorOf(refusal.detailOf('permissions'))} ${difference}`;
		if (undoesRemoval(before, after, wanted)) throw excluding(other);
		return savePolicy(client, present, wanted, [...others, other]);
	}
}

function excluding(other: string): Refusal {
	return new Refusal(409, { message: `${other}，与您的修改冲突。请检查后再次保存。`, details: [] });
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
