const colors = ['#0b8a70', '#b0741a', '#3f6fc4', '#b3567c', '#7a62bd', '#6d8b2c'];

/** The first character of a name on a quiet colour, which makes lists easier to scan. The name itself stands beside it. */
export function Initial({ of: { id, name } }: { of: { id: number; name: string } }) {
	const [first] = Array.from(name);
	// Mixed, because an import can give ids to stores in turns, and a store's employees would have one colour.
	const mixed = Math.imul(id, 0x9e3779b1) >>> 16;
	const mix = (share: string) => `color-mix(in srgb, ${colors[mixed % colors.length]} ${share}, var(--page-surface))`;
	const background = `light-dark(${mix('22%')}, ${mix('60%')})`;
	return <span aria-hidden className="initial" style={{ background }} data-initial={first?.toUpperCase()} />;
}
