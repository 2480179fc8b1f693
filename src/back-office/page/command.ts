import { useEffect, useEffectEvent } from 'react';
import { createValue, useValue } from '../api/value.ts';

/** The form that the search asked a page to open, such as that of a new employee; the page clears it. */
export const command = createValue<string | undefined>(undefined);

/** Does what the search asked for, if it is this. */
export function useCommand(name: string | undefined, obey: () => void): void {
	const wanted = useValue(command);
	const act = useEffectEvent(obey);
	useEffect(() => {
		if (name === undefined || wanted !== name) return;
		command.set(undefined);
		act();
	}, [wanted, name]);
}
