import { createValue } from '../api/value.ts';

export interface OpenForm {
	/** The address of its page. */
	href: string;
	/** Whether the form is a page, so that links leave it. */
	isPage: boolean;
	/** The present form. `leave` closes it, or goes elsewhere, once no changes would be lost. */
	latest(): { isChanged(): boolean; leave(then?: () => void): void };
}

/** The open form. */
export const openForm = createValue<OpenForm | undefined>(undefined);
