/** Phones as people write them. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { phoneOrText, readPhone, showPhone } from '../src/platform/vocabulary/phone.ts';
import { hanging } from './hanging.ts';
import { words } from './oracle.ts';

setDefaultTimeout(hanging);

const phone = '13800138000';

test.each([
	...words('13800138000 138-0013-8000 138—0013–8000 138.0013.8000 （138）00138000 𝟏𝟑𝟖𝟎𝟎𝟏𝟑𝟖𝟎𝟎𝟎'),
	...words('+8613800138000 (+86)13800138000 0086-138-0013-8000 8613800138000 13800138000.0'),
	' 138 0013 8000 ',
	'(138) 0013-8000',
	'+86 138 0013 8000',
	'＋８６ １３８　００１３　８０００',
	'\u202d138 0013 8000\u202c',
	'\ufeff138\u00a00013\u200b8000',
])('%p is read as a phone', (text) => expect(readPhone(text)).toBe(phone));

test.each([
	...words('1380013800 138001380000 1380013800.0 12800138000 +85213800138000 1.38E+10 138+00138000'),
	...words('١٣٨٠٠١٣٨٠٠٠ admin'),
	'',
	'+1 380 013 8000',
	'86 86 13800138000',
	'13800138000 或 13900139000',
])('%p is no phone', (text) => expect(readPhone(text)).toBeUndefined());

test.each([
	['138 0013', '1380013'],
	['+86 138', '138'],
	['１３８', '138'],
	['0013-8000', '00138000'],
	['+86 138 0013 8000', phone],
	['王 3', '王 3'],
	['3-2', '3-2'],
	['+86', '+86'],
	['021-12345678-90', '021-12345678-90'],
])('a search for %p looks for %p', (typed, wanted) => expect(phoneOrText(typed)).toBe(wanted));

test('a phone is shown in groups, anything else as it is', () => {
	expect([phone, '021-12345678', ''].map(showPhone)).toEqual(['138 0013 8000', '021-12345678', '']);
});
