/** A ref for what can disappear with the focus: the part of the page around it has the focus then. */
export function passesOnFocus(element: HTMLElement | null) {
	const around = element?.parentElement?.closest<HTMLElement>('[tabindex="-1"]') ?? document.getElementById('main');
	return () => {
		if (element?.contains(document.activeElement)) around?.focus({ preventScroll: true });
	};
}
