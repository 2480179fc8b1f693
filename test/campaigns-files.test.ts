/** The short forms of the campaigns that kill the program, or damage and lose its files. */
import { onFiles } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(onFiles);
