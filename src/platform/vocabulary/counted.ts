/** A count with its noun: `1 employee`, `2 employees`. */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first five names, and the number of all if there are more, for end users. The other names can be absent. */
export function firstFive(names: readonly string[], unit: string, count = names.length): string {
	return `${names.slice(0, 5).join('、')}${count > 5 ? ` 等 ${count} ${unit}` : ''}`;
}
