/** The short forms of the campaigns on permissions, tokens and requests that conflict. */
import { onRights } from './all.ts';
import { testShortForms } from './short.ts';

testShortForms(onRights);
