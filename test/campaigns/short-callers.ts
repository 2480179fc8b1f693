/** The short forms of the campaigns in which callers try forbidden things. */
import { byCallers } from './all.ts';
import { testShortForms } from './short.ts';

testShortForms(byCallers);
