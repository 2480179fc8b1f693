import { useEffect } from 'react';

/**
 * While on, Escape does nothing anywhere on the page. A dialog cannot refuse to close by itself: the browser lets it only
 * after a click or another key, and what is behind the dialog hears the key too.
 */
export function useIgnoredEscape(isOn: boolean): void {
	useEffect(() => {
		if (!isOn) return;
		function ignore(event: KeyboardEvent) {
			if (event.key !== 'Escape' || event.isComposing) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		}
		window.addEventListener('keydown', ignore, { capture: true });
		return () => window.removeEventListener('keydown', ignore, { capture: true });
	}, [isOn]);
}
