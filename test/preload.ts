/** What every test file starts with when it runs alone; `run.ts` gives the same limit to all of them. */
import { setDefaultTimeout } from 'bun:test';
import { hanging } from './hanging.ts';

setDefaultTimeout(hanging);
