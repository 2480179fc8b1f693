import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { createValue, useValue } from '../api/value.ts';

/** The action that the page at an address shall begin with, such as 新增员工. The page clears it. */
export const command = createValue<Record<'title' | 'href', string> | undefined>(undefined);

/** Calls `obey` if the search asked for this action. The text of a button is the name of its action. */
export function useCommand(name: ReactNode, obey: () => void): void {
	const wanted = useValue(command)?.title;
	const act = useEffectEvent(obey);
	useEffect(() => {
		if (wanted === undefined || wanted !== name) return;
		command.set(undefined);
		act();
	}, [wanted, name]);
}
