/** The fields of a form that have another value than before. Blanks around a text and the order of a list mean nothing. */
export function changedFields<Values extends object>(before: Partial<Values>, after: Partial<Values>): Partial<Values> {
	const names = Object.keys(after) as (keyof Values)[];
	const changed = names.filter((name) => plain(before[name]) !== plain(after[name]));
	return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Values>;
}

/** Whether a form would send anything. */
export function isEmpty(changes: object): boolean {
	return Object.keys(changes).length === 0;
}

/** A value as the service would keep it. */
function plain(value: unknown): string {
	if (Array.isArray(value)) return JSON.stringify(value.toSorted());
	const kept = typeof value === 'string' ? value.trim() : value;
	return JSON.stringify(kept === '' || kept === undefined ? null : kept);
}
