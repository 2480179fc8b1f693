interface Props {
	of: { id: number; name: string };
}

/** How many colours there are, in `listing.css`. */
const colors = 6;

/** The first character of a name on a quiet colour, by which the eye finds it again. The name itself stands beside it. */
export function Initial({ of: { id, name } }: Props) {
	const [first] = Array.from(name);
	return <span aria-hidden className={`initial initial-${id % colors}`} data-initial={first?.toUpperCase()} />;
}
