/** The short forms of the campaigns on permissions, tokens and requests that conflict. */
import { onRights } from './campaigns/all.ts';
import { testShortForms } from './campaigns/short.ts';

testShortForms(onRights);
