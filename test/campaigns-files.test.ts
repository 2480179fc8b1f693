/** The short forms of the campaigns that kill the program, or lose its machine. */
import { onFiles } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(onFiles);
