/** The short forms of the campaigns that kill the program, or lose its machine. */
import { onFiles } from './all.ts';
import { testShortForms } from './short.ts';

testShortForms(onFiles);
