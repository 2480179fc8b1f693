/** The short forms of the campaigns with many clients. */
import { byLoad } from './all.ts';
import { testShortForms } from './short.ts';

testShortForms(byLoad);
