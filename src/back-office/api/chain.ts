import { settingOf } from './base.ts';
import { createValue } from './value.ts';

/** The chain's name when the page was served, or its new name after a change here; undefined without one. */
export const chainName = createValue(settingOf('chain-name'));
