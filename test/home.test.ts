/** The home page of an account's back office. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { homeFor } from '../src/back-office/account/home.ts';
import type { Permission } from '../src/platform/vocabulary/permissions.ts';
import { hanging } from './hanging.ts';

setDefaultTimeout(hanging);

const store = { storeId: 2, storeName: '二店', until: null };
const area = { areaId: 1, areaName: '东', stores: 3, until: null };
const lead = ['employee:view:store'] as const;

test.each([
	['an owner', ['*'], {}, 'chain'],
	['an administrator', ['store:view', 'employee:view:all'], {}, 'chain'],
	['somebody who sees all people and no stores', ['employee:view:all', 'employee:manage'], {}, undefined],
	['somebody who sees stores only', ['store:view'], {}, undefined],
	['a store lead', ['employee:view:store', 'employee:manage'], {}, 'store'],
	['a store lead who sees stores', ['store:view', 'employee:view:store'], {}, 'store'],
	['a store lead with another store', lead, { stores: [store] }, 'stores'],
	['an area manager', ['store:view', 'employee:view:store'], { areas: [area] }, 'stores'],
	['somebody who sees all and was given a store', ['employee:view:all', ...lead], { stores: [store] }, undefined],
] as const)('%s with %p begins with the page of: %p', (_, codes, given, home) => {
	const permissions = new Set<Permission>(codes);
	const reach = { stores: [], areas: [], ...given } as never;
	expect(homeFor({ permissions, user: { reach } })).toBe(home as never);
});
