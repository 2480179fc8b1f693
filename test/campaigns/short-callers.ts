/** The short forms of the campaigns in which callers try what they must not. */
import { byCallers } from './all.ts';
import { testShortForms } from './short.ts';

testShortForms(byCallers);
