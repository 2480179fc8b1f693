import { useEffect, useEffectEvent } from 'react';
import { createValue, useValue } from '../api/value.ts';

/** The command for the next page, such as to open the form of a new employee. The page clears it. */
export const command = createValue<string | undefined>(undefined);

/** Calls `obey` if the search asked for this command. */
export function useCommand(name: string | undefined, obey: () => void): void {
	const wanted = useValue(command);
	const act = useEffectEvent(obey);
	useEffect(() => {
		if (name === undefined || wanted !== name) return;
		command.set(undefined);
		act();
	}, [wanted, name]);
}
