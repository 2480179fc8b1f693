/** The short forms of the campaigns that kill the program, or lose its files. A full disk needs root (`root.ts`). */
import { onFiles } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(onFiles);
