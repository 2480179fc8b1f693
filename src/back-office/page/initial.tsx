const colors = ['#0b8a70', '#b0741a', '#3f6fc4', '#b3567c', '#7a62bd', '#6d8b2c'];

/** The first character of a name on a quiet colour, by which the eye finds it again. The name itself stands beside it. */
export function Initial({ of: { id, name } }: { of: { id: number; name: string } }) {
	const [first] = Array.from(name);
	const background = `color-mix(in srgb, ${colors[id % colors.length]} 22%, var(--page-surface))`;
	return <span aria-hidden className="initial" style={{ background }} data-initial={first?.toUpperCase()} />;
}
