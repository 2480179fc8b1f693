import { useState, useSyncExternalStore } from 'react';
import { createValue } from '../api/value.ts';

export interface OpenForm {
	/** The address of its page. */
	href: string;
	/** Whether the form is a page, so that links leave it. */
	isPage: boolean;
	/** The present form. `leave` closes it, or goes elsewhere, once no changes would be lost. */
	latest(): { isChanged(): boolean; leave(then?: () => void): void };
}

/** The open forms, the one in front last. */
export const openForms = createValue<readonly OpenForm[]>([]);

/** Whether changes in an open form would be lost. */
export const isUnsaved = () => openForms.get().some((form) => form.latest().isChanged());

/**
 * The latest value, or while a form is open the one before it, so that no form disappears with its button and its typed
 * values. A form that opens or closes does not render the component again.
 */
export function useSteady<Value>(latest: Value): Value {
	const [before, setBefore] = useState(latest);
	const steady = useSyncExternalStore(openForms.subscribe, () => (openForms.get().length > 0 ? before : latest));
	if (steady !== before) setBefore(steady);
	return steady;
}
