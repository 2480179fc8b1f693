/** A ref for an element that can disappear while it has the focus, which then goes to the part of the page around it. */
export function passesOnFocus(element: HTMLElement | null) {
	const around = element?.parentElement?.closest<HTMLElement>('[tabindex="-1"]') ?? document.getElementById('main');
	return () => {
		if (element?.contains(document.activeElement)) around?.focus({ preventScroll: true });
	};
}
