/** A person's changes to a role, apart from its permissions, which a colleague may change meanwhile. */
import { type PermissionCode, programCodes, withDependencies } from '../../platform/vocabulary/permissions.ts';

/** The points that the person switched on or off. */
export type Toggles = ReadonlyMap<PermissionCode, boolean>;

type Points = readonly PermissionCode[];

/** The points that are chosen: those that the role holds, but for what the person switched. */
export function chosenOf(held: Points, toggles: Toggles): PermissionCode[] {
	const all = new Set([...programCodes, ...held, ...toggles.keys()]);
	return Array.from(all).filter((code) => toggles.get(code) ?? held.includes(code));
}

/** The chosen points and those that they need: what the role would hold. */
export function resultOf(held: Points, toggles: Toggles): PermissionCode[] {
	return withDependencies(chosenOf(held, toggles));
}

/**
 * Whether saving would undo a removal: one that the person made and a colleague's new point needs, or the other way round.
 * `seen` is what the role held when the person last looked.
 */
export function undoesRemoval(seen: Points, held: Points, toggles: Toggles): boolean {
	const before = resultOf(seen, toggles);
	return resultOf(held, toggles).some((code) =>
		held.includes(code) ? toggles.get(code) === false && !before.includes(code) : seen.includes(code),
	);
}
