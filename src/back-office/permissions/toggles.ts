/** A person's changes to a role, apart from its permissions, which a colleague may change meanwhile. */
import { type PermissionCode, programCodes, withDependencies } from '../../platform/vocabulary/permissions.ts';

/** The points that the person switched on or off. */
export type Toggles = ReadonlyMap<PermissionCode, boolean>;

type Points = readonly PermissionCode[];

/** Those that change something: the others would undo what a colleague does next. */
export function effective(held: Points, toggles: Toggles): Toggles {
	return new Map(Array.from(toggles).filter(([code, isOn]) => isOn !== held.includes(code)));
}

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
 * The points where one person's change would undo a colleague's, or the other way round: what one of them removed is needed
 * by what the other one added. `seen` is what the role held when the person last looked.
 */
export function clashesOf(seen: Points, held: Points, toggles: Toggles): PermissionCode[] {
	const before = resultOf(seen, toggles);
	return resultOf(held, toggles).filter((code) => {
		if (held.includes(code)) return toggles.get(code) === false && !before.includes(code);
		return seen.includes(code) && toggles.get(code) !== true;
	});
}

/** Settles a clash at a point: the person's own change wins, or the colleague's. */
export function settle(code: PermissionCode, taken: 'mine' | 'theirs', held: Points, toggles: Toggles): Toggles {
	const isRemovedByMe = held.includes(code);
	if (taken === 'mine' && !isRemovedByMe) return new Map(toggles).set(code, true);
	if (taken === 'mine') {
		const needing = held.filter((each) => withDependencies([each]).includes(code));
		const removing = new Map([...toggles, ...needing.map((each) => [each, false] as const)]);
		const isStillNeeded = resultOf(held, removing).includes(code);
		return isStillNeeded ? new Map(Array.from(removing).filter(([, isOn]) => !isOn)) : removing;
	}
	if (isRemovedByMe) return new Map(Array.from(toggles).filter(([each]) => each !== code));
	const harmless = Array.from(toggles).filter((toggle) => !resultOf(held, new Map([toggle])).includes(code));
	return resultOf(held, new Map(harmless)).includes(code) ? new Map() : new Map(harmless);
}
