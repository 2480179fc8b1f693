/** The short forms of the campaigns with many clients. */
import { byLoad } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(byLoad);
