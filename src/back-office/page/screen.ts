import { useSyncExternalStore } from 'react';

/** Creates the hook that tells whether a media query matches. */
export function createMediaHook(query: string): () => boolean {
	const media = window.matchMedia(query);
	function subscribe(listener: () => void) {
		media.addEventListener('change', listener);
		return () => media.removeEventListener('change', listener);
	}
	return () => useSyncExternalStore(subscribe, () => media.matches);
}

/** Whether the screen has the width of a phone. The style sheets use the same width. */
export const useIsPhone = createMediaHook('(max-width: 767px)');

/** The placement of a drawer: at the side with this width, or on a phone from below with the height of its content. */
export function useSheet(width: number) {
	return useIsPhone()
		? ({ placement: 'bottom', size: 'auto' } as const)
		: ({ placement: 'right', size: width } as const);
}
