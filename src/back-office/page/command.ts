import { createValue } from '../api/value.ts';

/** What the search asked a page to open, such as the form of a new employee; the page that has it clears it. */
export const command = createValue<string | undefined>(undefined);
