/** The short forms of the campaigns in which callers try what they must not. */
import { byCallers } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(byCallers);
