/** The short forms of the campaigns with many clients, and with a clock that jumps. */
import { byLoad } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(byLoad);
