import { useEffect } from 'react';
import { createValue } from '../api/value.ts';

/** The item that the page is about, such as a person: what the title of the tab begins with. */
export const titleItem = createValue<string | undefined>(undefined);

/** Names the tab after an item while its page is shown. */
export function useTitle(name: string): void {
	useEffect(() => {
		titleItem.set(name);
		return () => titleItem.set(undefined);
	}, [name]);
}
