/**
 * The contract as data: endpoints with their permissions, fields and limits, and the rules for ids, texts and JSON types.
 * The tests judge the program by it. It is never derived from `src/`, whose mistakes it would share.
 */
import type { Restriction } from '../src/identity/session/refusals.ts';
import type { Permission, PermissionCode } from '../src/platform/vocabulary/permissions.ts';

/** The assignable permission codes of the program, in their order. */
export const codes = [
	'store:view',
	'store:manage',
	'role:view',
	'role:manage',
	'employee:view:all',
	'employee:view:store',
	'employee:manage',
	'permission:view',
	'permission:manage',
] as const satisfies readonly PermissionCode[];

/** Permission points of a chain. */
export const ownCodes = ['till:refund', 'till:price'] as const satisfies readonly PermissionCode[];

/** A field of a body or a query, with values that the contract accepts and refuses. */
export interface Field {
	good: readonly unknown[];
	/** The first ones are tried in every endpoint. */
	bad: readonly unknown[];
	required?: true;
}

export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** With parameters such as `:id`. */
	path: string;
	public?: true;
	/** Any one of these codes is enough. Without codes, any signed-in account may call. */
	codes: readonly Permission[];
	/** One of these is required, too. */
	alsoOneOf?: readonly Permission[];
	body?: Record<string, Field>;
	/** A valid body, for the first store and for roles that every installation has. */
	sample?: Record<string, unknown>;
	query?: Record<string, Field>;
	/** The content types of the file that it takes instead of JSON. */
	takesFile?: readonly string[];
	/** The content types of the file that it answers with instead of JSON. */
	answersFile?: readonly string[];
	/** The restrictions that do not block this endpoint. */
	despite?: readonly Restriction[];
	/** Set if a usually writing method stores nothing: it leaves no record and works without a disk. */
	writesNothing?: true;
	/** The super administrator gets 403: they work in no store. */
	employeesOnly?: true;
	/** Set for a GET that writes. */
	writes?: true;
}

const notText = [5, true, {}, ['文字']];
const controls = ['\0', '\u0001', '\b', '\u000b', '\f', '\u001b', '\u001f', '\u007f', '\u0080', '\u0085', '\u009f'];
const overrides = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
const loneSurrogates = ['\ud83d', '\ude00', '\ude00\ud83d'];
const noncharacters = ['\ufffe', '\uffff'];
const unwritable = [...controls, ...overrides, ...loneSurrogates, ...noncharacters].flatMap((character) => [
	`前${character}后`,
	`${character}后`,
	`前${character}`,
]);
const lineBreaks = ['\t', '\n', '\r\n', '\u2028', '\u2029'].map((character) => `前${character}后`);

/** Blanks, format characters, combining marks and letters without a shape. */
const invisible = [
	...Array.from('\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2063\u206f'),
	...Array.from('\u2800\u3164\ufe0f\uffa0\ufff9\u{1ffff}\u0301\u20dd\u3099\u0591\u093f'),
	...Array.from('\u{e0001}\u{e0041}\u{e0100}\u{1d173}'),
	'\u0300\u0323',
	'\u3164\u2800',
	'\u200b \u200b',
	'\u00a0\u00ad',
];

/** Splits a text into words, for lists of many short texts. */
export const words = (text: string) => text.trim().split(/\s+/);

/** Values of the wrong type. Read as a text, the last one would be valid. */
const wrongTypes = (right: string) => [null, 5, true, {}, [right]];

const notIdLists = [null, 1, '1', {}, ['1'], [null], [1.5], [0], [-1], [true], [[1]], [2 ** 53]];

/** Texts whose composed length is exactly the limit. */
const longest = (maximum: number) => [
	...['x', '😀', 'e\u0301', '\u1112\u1161\u11ab'].map((character) => character.repeat(maximum)),
	` \t\r\n${'é'.repeat(maximum)}\u3000`,
];
/** Texts that are too long. The last one triples its length when it is composed. */
const tooLong = (maximum: number) => [
	...['x', '😀', 'e\u0301'].map((character) => character.repeat(maximum + 1)),
	'\ufb2c'.repeat(maximum),
];

function name(maximum: number): Field {
	return {
		good: ['字', '。', 'a\u0301', '👩\u200d👧', '\u200b字', ...longest(maximum)],
		bad: [...tooLong(maximum), '', ' \n\t\u3000', null, ...notText, ...unwritable, ...lineBreaks, ...invisible],
	};
}

/** A name that identifies something has no invisible characters outside emoji. */
function uniqueName(maximum: number): Field {
	const hidden = ['\u00ad', '\u034f', '\u061c', '\u200b', '\u200c', '\u200e', '\u2060', '\u3164', '\ufff9'];
	const { good, bad } = name(maximum);
	return {
		good: ['❤\ufe0f', '1\ufe0f\u20e3', ...good.filter((value) => value !== '\u200b字')],
		bad: [...bad, ...hidden.flatMap((character) => [`华${character}东`, `华东${character}`])],
	};
}

function optionalLine(maximum: number): Field {
	return {
		good: ['字', '\u200b', ...longest(maximum), null, '', '  '],
		bad: [...tooLong(maximum), ...notText, ...unwritable, ...lineBreaks],
	};
}

function optionalName(maximum: number, of = name): Field {
	return { good: [...of(maximum).good, null, '', '  '], bad: of(maximum).bad.filter(isNotEmpty) };
}

const isNotEmpty = (value: unknown) => value !== null && (typeof value !== 'string' || value.trim() !== '');

function optionalLines(maximum: number): Field {
	return {
		good: ['字', ...longest(maximum), ...lineBreaks, '一\t二\n三\r\n\r\n四', null, '', '  '],
		bad: [...tooLong(maximum), ...notText, ...unwritable, '前\r后'],
	};
}

const status: Field = {
	good: ['ACTIVE', 'INACTIVE'],
	bad: ['', 'active', 'DELETED', 'ACTIVE,INACTIVE', null, 1, true, ['ACTIVE'], {}],
};
const wrongIds = ['5', '1', '', true, 1.5, null, [1], {}, 0, -1, 2 ** 53, 1e300];
const id: Field = { good: [1, Number.MAX_SAFE_INTEGER], bad: wrongIds };
const roleIds: Field = {
	good: [[], [2], [2, 2], Array.from({ length: 20 }, (_, index) => index + 1)],
	bad: [Array.from({ length: 21 }, (_, index) => index + 1), ...notIdLists],
};
const phone: Field = {
	good: [...[3, 4, 5, 6, 7, 8, 9].flatMap((digit) => [`1${digit}000000000`, `1${digit}999999999`]), ' 15012345678 '],
	bad: [
		'',
		...words('10000000000 11000000000 12999999999 23800138000 03800138000 1380013800 138001380001 1380013800a'),
		...words('+8613800138000 8613800138000 138-0013-8000 １３８００１３８０００ 138001380٠٠ 13800138000\0'),
		'138 0013 8000',
		13800138000,
		...wrongTypes('13800138000'),
	],
};
const notCodes = words(`A aB 1a _a a-b a.b é aé ａ a１ 角色 a\0 a${'b'.repeat(50)}`);
const code: Field = {
	good: ['a', 'z9', 'a_', 'a__b', 'a_1', `z${'_9'.repeat(24)}x`, ' trimmed_code '],
	bad: ['', ' ', 'a b', 'a\nb', ...notCodes, ...wrongTypes('a')],
};
const notPointCodes = words(': a a: :a a::b a:B A:b a:1 1:a a:_ a-b:c a:b: * till:* é:a ａ:b 收银:退款 a:b\0 a:b,c:d');
const pointCode: Field = {
	good: [
		...words('a:b till:refund a_1:b_2:c__ store:x'),
		' till:trimmed ',
		`a:${'b'.repeat(58)}`,
		`${'a'.repeat(58)}:b`,
	],
	bad: ['', 'a b:c', 'a:b\nc', `a:${'b'.repeat(59)}`, ...notPointCodes, ...wrongTypes('a:b')],
};
const wrongLengths = ['x', '密', '😀'].flatMap((each) => [each.repeat(7), each.repeat(129)]);
const password: Field = {
	good: [...['x', '密', '😀', ' '].flatMap((each) => [each.repeat(8), each.repeat(128)]), '12345678', 'nul\0inside'],
	bad: [...wrongLengths, '', '1234567', 12345678, '\ud800'.repeat(8), ...wrongTypes('12345678')],
};
/** A role holds the program's codes, and 200 of the chain's own. */
const maxCodes = codes.length + 200;
const notCodeLists = [null, 'store:view', {}, ['*'], ['STORE:VIEW'], [''], [null], [1], [['store:view']]];
const permissions: Field = {
	good: [[], ['store:view'], ['store:view', 'store:view'], codes, Array(maxCodes).fill('store:view')],
	bad: [...notCodeLists, Array(maxCodes + 1).fill('store:view')],
};

const notIds = [Array.from({ length: 1001 }, (_, index) => index + 1), [], ...notIdLists];
const manyIds = Array.from({ length: 1000 }, (_, index) => index + 1);
const ids: Field = { good: [[1], [2, 1], manyIds], bad: [...notIds, [1, 2, 1]] };
/** Exactly one change. */
const change: Field = {
	good: [{ storeId: 1 }, { status: 'INACTIVE' }, { addRoleIds: [2] }, { removeRoleIds: [2], no: 1 }, { delete: true }],
	bad: [
		...[null, 1, 'delete', [], [{ delete: true }], {}, { no: 1 }],
		...[{ delete: false }, { storeId: '1' }, { status: 'active' }, { addRoleIds: [] }, { removeRoleIds: [0] }],
		...[
			{ storeId: 1, delete: true },
			{ addRoleIds: [2], removeRoleIds: [3] },
		],
	],
};

/** The message of every 401 for a missing, wrong or expired token. */
export const notSignedIn = '未登录或登录已失效';

/** Spellings in a URL that are not a positive integer of at most 2^53-1. */
export const badIntegers = [
	...words("0 01 1e3 1E3 0x10 0b1 %201 1%20 +1 %2B1 -1 1.0 1.5 1_0 1n 1,2 abc null NaN Infinity 1'--"),
	...words('9007199254740992 9007199254740993 500000000000000000 99999999999999999999'),
	...words('%00 1%00 1%0A %EF%BC%91 1%2F2 %F0 %E0%A4%A'),
	'9'.repeat(300),
];

const integers = (good: readonly string[], ...bad: string[]): Field => ({ good, bad: [...bad, ...badIntegers, ''] });

// In a query, every value is a text from the URL.
const paging = {
	page: integers(['1', '2', '9007199254740991']),
	pageSize: integers(['1', '100'], '101', '9007199254740991'),
};
const flag: Field = { good: ['true', 'false'], bad: ['TRUE', 'True', '1', '0', '', 'yes', 'null', 'true%00'] };
const day: Field = {
	good: ['2999-12-31', '2996-02-29'],
	bad: ['', ...words('2999 2999-12 2999-13-01 2999-02-29 2900-02-29 2999-04-31 31.12.2999 2999-12-31T00:00Z')],
};
const optionalDay: Field = { good: [...day.good, null], bad: [...day.bad, ...notText, ' 2999-12-31'] };
const onlyTrue: Field = { good: ['true'], bad: [...flag.bad, 'false'] };
const passwords: Field = { good: ['one-time'], bad: ['', 'initial', 'One-Time', 'one-time%00'] };
const closing: Field = { good: ['DISABLE', 'DELETE'], bad: ['', 'disable', 'CLOSE', null, 1, ['DELETE']] };
const helpCode: Field = { good: ['store:view'], bad: ['', '*', 'Store:view', 'store'] };
/** Numbers in a query, separated by commas, of which the same may stand there twice. */
const numbersInQuery = (most: number, good: readonly string[], ...bad: string[]): Field => ({
	good: [...good, Array(most).fill('2').join()],
	bad: [
		'',
		'0',
		'1,',
		'a',
		...bad,
		Array(most + 1)
			.fill('2')
			.join(),
	],
});
const restored = numbersInQuery(500, ['1', '1,2']);
const rows = numbersInQuery(500, ['7', '7,9'], '7-9');
const importMode: Field = { good: ['add', 'upsert', 'update', 'auto'], bad: ['', 'ADD', 'delete', 'add%00'] };
const statusInQuery: Field = { good: ['ACTIVE', 'INACTIVE'], bad: ['', 'active', 'DELETED', 'ACTIVE%00'] };
const lineInQuery = (maximum: number): Field => ({
	good: ['x', '%20x%20', '%25', '%0Ax%0D%0A', '%E2%80%8B', ...longest(maximum).map(encodeURIComponent)],
	bad: [
		...tooLong(maximum).map(encodeURIComponent),
		'',
		...words('%20 %09%20 %00 x%00 x%07y a%0Db a%09b a%0Ab a%C2%85 a%E2%80%AEb a%EF%BF%BFb'),
	],
});
const keyword = lineInQuery(100);

const idInQuery = integers(['1', '9007199254740991']);
const shortName = name(50);
const required = (field: Field): Field => ({ ...field, required: true });

const areaId: Field = { good: [null, 1], bad: id.bad.filter((value) => value !== null) };
const store = { name: uniqueName(100), address: optionalLine(255), phone: optionalLine(30), status, areaId };
/** Only this change. */
const storesChange: Field = {
	good: [{ areaId: null }, { areaId: 1, no: 1 }],
	bad: [null, 1, [], {}, { no: 1 }, { areaId: '1' }, { areaId: 0 }, { status: 'ACTIVE' }],
};
/** Entries of a reach. */
const reachOf = (id: string): Field => ({
	good: [
		[],
		[{ [id]: 1 }],
		[
			{ [id]: 1, until: null },
			{ [id]: 2, until: '2999-12-31' },
		],
	],
	bad: [
		null,
		1,
		'1',
		{},
		[1],
		[null],
		[{}],
		...['1', 0, null].map((value) => [{ [id]: value }]),
		...['', '2999-13-01', 1].map((until) => [{ [id]: 1, until }]),
		Array.from({ length: 51 }, (_, index) => ({ [id]: index + 1 })),
	],
});
const area = { body: { name: required(uniqueName(30)) }, sample: { name: '样区' } };
const includeArea: Field = { good: ['area'], bad: ['', 'Area', 'people', 'area%00'] };
const role = { code, name: uniqueName(50), description: optionalLines(255) };
const point = { title: uniqueName(20), description: optionalLines(100), groupTitle: optionalName(20, uniqueName) };
const numbered = { externalId: optionalName(64) };
const employee = { storeId: id, name: shortName, phone, status, remark: optionalLines(500), ...numbered, roleIds };

const codesOfProgram: Field = {
	good: [['store:view'], ['store:view', 'store:view'], ['employee:view:all', 'store:manage']],
	bad: [...permissions.bad, ['role:manage'], ['permission:manage']],
};
const notAddresses = words(`
	till.example http://till.example/ http://localhost/ http://127.0.0.1.evil.example/
	http://127.0.0.1@evil.example/ https://till.example/#x https://till.example/# https://*.example/
	https://a:b@till.example/ myapp://back javascript:alert(1)
	https://a.example/${'x'.repeat(483)}
`);
const manyAddresses = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`);
const addresses: Field = {
	good: [
		['https://till.example/in'],
		['http://127.0.0.1/', 'http://[::1]:8080/x', 'https://a.example/?b=1'],
		[`https://a.example/${'x'.repeat(482)}`],
		manyAddresses(20),
	],
	bad: [
		null,
		'',
		'https://till.example/',
		{},
		[1],
		[null],
		[''],
		...notAddresses.map((address) => [address]),
		['https://a.example/', 'https://a.example/'],
		manyAddresses(21),
	],
};
const program = {
	name: uniqueName(50),
	permissions: codesOfProgram,
	storeId: { good: [null], bad: areaId.bad },
	endsOn: { good: day.good, bad: [...day.bad, ...notText, ' 2999-12-31'] },
	redirectUris: addresses,
	signOutUris: addresses,
	isPublic: { good: [true, false], bad: [null, 'true', 1, 0, '', []] },
	signInPermission: { good: [null, 'store:view'], bad: ['', 'none', 'Store:view', 1, [], {}] },
};

const atOnce = { at: { good: ['once'], bad: ['', 'Once', 'now', 'once%00'] } };

/** The filters of employees that were added to the contract. */
export const employeeFilters = {
	search: keyword,
	externalId: lineInQuery(64),
	roleId: idInQuery,
	order: { good: ['asc', 'desc'], bad: ['', 'ASC', 'descending', 'id', 'desc%00'] },
	passwordIsInitial: onlyTrue,
	passwordExpired: onlyTrue,
	neverSignedIn: onlyTrue,
	signedInBefore: day,
	lockedOut: onlyTrue,
	withoutRole: onlyTrue,
	deleted: onlyTrue,
};
const include: Field = {
	good: ['activity', 'externalId', 'activity,externalId'],
	bad: ['', 'Activity', 'roles', 'activity%00', 'externalId,'],
};
const withSession = { include: { good: ['session'], bad: ['', 'reach'] } };
const login = {
	public: true,
	body: { username: required(shortName), password: required(password), code: shortName, client: shortName },
	sample: { username: 'nobody', password: 'not-a-password' },
	query: withSession,
} as const;
/** A change of one's own or an employee's password. */
const passwordChange = {
	body: { oldPassword: required(password), newPassword: required(password) },
	sample: { oldPassword: 'not-the-old-one', newPassword: 'a-new-password' },
};

/** The codes that let a holder see people. */
const sees = ['employee:view:all', 'employee:view:store'] as const;

/** Makes an endpoint from its method and path. Any one of the permissions admits. */
function endpoint(name: string, codes: readonly Permission[], more: Partial<Endpoint> = {}): Endpoint {
	const [method, path = ''] = name.split(' ');
	return { method: method as Endpoint['method'], path, codes, ...more };
}

const storeQuery = {
	includeInactive: flag,
	status: statusInQuery,
	keyword,
	search: keyword,
	...paging,
	areaId: idInQuery,
	include: includeArea,
};
const roleQuery = { keyword, search: keyword, isSystem: flag, ...paging };

/** The endpoints of the original contract, in its order; some fields and parameters were added later. */
export const specified: readonly Endpoint[] = [
	endpoint('GET /health', [], { public: true }),
	...['login', 'admin/login', 'employee/login'].map((door) => endpoint(`POST /api/auth/${door}`, [], login)),
	endpoint('GET /api/auth/me', [], {
		despite: ['OWN_PASSWORD', 'SECOND_FACTOR'],
		query: { include: { good: ['reach', 'session', 'reach,session'], bad: ['', 'Reach', 'activity', 'reach%00'] } },
	}),
	endpoint('GET /api/permissions/me', [], { despite: ['SECOND_FACTOR'] }),
	endpoint('GET /api/permissions/policies', ['permission:view']),
	endpoint('GET /api/permissions/definitions', ['permission:view']),
	endpoint('PUT /api/permissions/roles/:roleId', ['permission:manage'], {
		body: { permissions: required(permissions) },
		sample: { permissions: ['store:view'] },
	}),
	endpoint('GET /api/stores', ['store:view'], { query: storeQuery }),
	endpoint('GET /api/stores/:id', ['store:view'], { query: { employees: flag, include: includeArea } }),
	endpoint('GET /api/stores/:id/employees', ['store:view']),
	endpoint('POST /api/stores', ['store:manage'], {
		body: { ...store, name: required(store.name) },
		sample: { name: '样店' },
	}),
	endpoint('PATCH /api/stores/:id', ['store:manage'], { body: store, sample: { address: '样路' } }),
	endpoint('DELETE /api/stores/:storeId/employees/:employeeId', ['employee:manage']),
	endpoint('DELETE /api/stores/:id', ['store:manage']),
	endpoint('GET /api/roles', ['role:view'], { query: roleQuery }),
	endpoint('GET /api/roles/:id', ['role:view']),
	endpoint('POST /api/roles', ['role:manage'], {
		body: { ...role, code: required(role.code), name: required(role.name) },
		sample: { code: 'sample', name: '样角' },
	}),
	endpoint('PATCH /api/roles/:id', ['role:manage'], { body: role, sample: { description: '样述' } }),
	endpoint('DELETE /api/roles/:id', ['role:manage']),
	endpoint('GET /api/employees', sees, {
		query: { storeId: idInQuery, status: statusInQuery, keyword, ...paging, ...employeeFilters, include },
	}),
	endpoint('GET /api/employees/:id', sees, { query: { include } }),
	endpoint('POST /api/employees', ['employee:manage'], {
		body: { ...employee, storeId: required(id), name: required(shortName), phone: required(phone) },
		query: { former: { good: ['refuse'], bad: ['', 'REFUSE', 'true'] } },
		sample: { storeId: 1, name: '样工', phone: '13600000000' },
	}),
	endpoint('PATCH /api/employees/:id', ['employee:manage'], {
		body: { ...employee, leavesOn: optionalDay },
		sample: { remark: '样注' },
	}),
	endpoint('PATCH /api/employees/:id/status', ['employee:manage'], {
		body: { status: required(status) },
		sample: { status: 'ACTIVE' },
	}),
	endpoint('PATCH /api/employees/:id/password', ['employee:manage'], passwordChange),
	endpoint('PATCH /api/employees/:id/password/reset', ['employee:manage']),
	endpoint('DELETE /api/employees/:id', ['employee:manage']),
];

const instants = {
	good: ['2026-11-21', '2026-11-21T08:30Z', '2026-11-21T08:30:00.123Z', '2026-11-21T08:30:00%2B08:00', '0001-01-01'],
	bad: ['', ...words('2026 2026-11 2026-13-01 2026-11-32 2026-11-21T24:00Z 2026-11-21T08:30 21.11.2026 x %00')],
};

export const csvType = 'text/csv';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const sheetTypes = [csvType, xlsxType, 'application/vnd.ms-excel'];
const importing = { takesFile: sheetTypes, query: { dryRun: flag, mode: importMode, skip: rows, only: rows } } as const;
const importingPeople = { ...importing, query: { ...importing.query, passwords, restore: restored } } as const;
/** Answers the sent file with its problems marked. */
const marking = { answersFile: [xlsxType], writesNothing: true } as const;
const fileFormat: Field = { good: ['csv', 'xlsx'], bad: ['', 'CSV', 'xls', 'pdf'] };

const badOffsets = words('08:00 %2B8:00 %2B15:00 %2B08:60 Asia/Shanghai');
const utcOffset: Field = { good: ['%2B08:00', '-03:30', '%2B14:00'], bad: ['', ...badOffsets] };

const historyFilters: Record<string, Field> = {
	actorType: { good: ['SUPER_ADMIN', 'EMPLOYEE', 'ANONYMOUS', 'OPERATOR'], bad: ['', 'employee', 'ROOT'] },
	actorId: idInQuery,
	action: { good: ['SIGN_IN', 'STORE_CREATE'], bad: ['', 'sign_in', 'STORE'] },
	targetType: { good: ['STORE', 'AREA', 'ROLE', 'EMPLOYEE', 'ADMINISTRATOR'], bad: ['', 'store', 'HISTORY'] },
	targetId: idInQuery,
	movement: { good: ['hired', 'left', 'moved', 'newRoles'], bad: ['', 'Hired', 'EMPLOYEE'] },
	from: instants,
	to: instants,
	keyword,
};

const withTitle = { include: { good: ['title'], bad: [''] } };
/** For an account that must turn on its second factor first, and for one that must also set its own password. */
const withoutFactor = { despite: ['SECOND_FACTOR'] } as const;
const withoutBoth = { despite: ['OWN_PASSWORD', 'SECOND_FACTOR'] } as const;
const withCode = {
	...withoutFactor,
	body: { password: required(password), code: required(shortName) },
	sample: { password: 'not-the-password', code: '000000' },
};

/** Endpoints that the program offers beyond the original contract. */
export const additions: readonly Endpoint[] = [
	endpoint('PATCH /api/auth/me/password', [], { ...withoutBoth, query: withSession, ...passwordChange }),
	endpoint('POST /api/auth/logout', [], { ...withoutBoth, query: { everywhere: flag } }),
	endpoint('POST /api/auth/renew', [], { ...withoutFactor, writesNothing: true, query: withSession }),
	endpoint('GET /api/auth/me/password', [], withoutBoth),
	endpoint('GET /api/auth/me/sign-ins', [], withoutFactor),
	endpoint('DELETE /api/auth/me/sign-ins/:id', [], withoutFactor),
	endpoint('GET /api/auth/me/second-factor', [], withoutFactor),
	endpoint('POST /api/auth/me/second-factor', [], {
		...withoutFactor,
		body: { password: required(password) },
		sample: { password: 'not-the-password' },
	}),
	endpoint('PUT /api/auth/me/second-factor', [], {
		...withoutFactor,
		body: { code: required(shortName) },
		sample: { code: '000000' },
	}),
	endpoint('DELETE /api/auth/me/second-factor', [], withCode),
	endpoint('POST /api/auth/me/second-factor/recovery-codes', [], withCode),
	endpoint('GET /api/permissions/me/definitions', [], withoutFactor),
	endpoint('GET /api/auth/me/approval-code', []),
	endpoint('GET /api/auth/me/approvals', [], { employeesOnly: true, query: withTitle }),
	endpoint('GET /api/approvals', [], { query: { subject: keyword } }),
	endpoint('GET /api/approvals/:id', []),
	endpoint('POST /api/approvals', [], {
		employeesOnly: true,
		body: {
			permission: required({ good: ['till:refund'], bad: [null, ...notText] }),
			subject: required(name(100)),
			approver: required({ good: ['13800138000', '', '1', '\u0000'], bad: [null, ...notText] }),
			code: required({ good: ['000000', '', 'x', '１２３４５６'], bad: [null, ...notText] }),
		},
		sample: { permission: 'till:refund', subject: 'A-1', approver: '13800138000', code: '000000' },
	}),
	endpoint('DELETE /api/employees/:id/second-factor', ['employee:manage']),
	endpoint('DELETE /api/employees/:id/sign-ins', ['employee:manage']),
	endpoint('GET /api/history', ['history:view'], {
		query: { ...historyFilters, grouped: flag, groupId: idInQuery, ...paging },
	}),
	endpoint('GET /api/history/:id', ['history:view']),
	endpoint('GET /api/history/export', ['history:view'], {
		answersFile: [csvType, xlsxType],
		query: { format: fileFormat, utcOffset, ...historyFilters, groupId: idInQuery },
	}),
	endpoint('POST /api/employees/:id/one-time-password', ['employee:manage']),
	endpoint('POST /api/employees/one-time-passwords', ['employee:manage'], {
		body: { ids: required({ good: [[1], [1, 1]], bad: notIds }) },
		sample: { ids: [1] },
	}),
	endpoint('GET /api/permissions/roles/:roleId', ['permission:view']),
	endpoint('GET /api/permissions/points', ['permission:view']),
	endpoint('GET /api/permissions/points/:id', ['permission:view']),
	endpoint('POST /api/permissions/points', ['permission:manage'], {
		body: { ...point, code: required(pointCode), title: required(point.title) },
		sample: { code: 'sample:point', title: '样权' },
	}),
	endpoint('PATCH /api/permissions/points/:id', ['permission:manage'], { body: point, sample: { title: '样权' } }),
	endpoint('DELETE /api/permissions/points/:id', ['permission:manage']),
	endpoint('GET /api/employees/options', ['employee:manage']),
	endpoint('GET /api/stores/all', ['store:view'], { query: { include: includeArea } }),
	endpoint('GET /api/stores/options', ['store:view'], { query: { include: includeArea } }),
	endpoint('GET /api/stores/page', ['store:view'], { query: storeQuery }),
	endpoint('GET /api/roles/all', ['role:view']),
	endpoint('GET /api/roles/page', ['role:view'], { query: roleQuery }),
	endpoint('GET /api/employees/helpers', [], { query: { permission: helpCode } }),
	endpoint('GET /api/stores/activity', ['store:view'], {
		query: { ids: numbersInQuery(100, ['1', '1,2'], '1,0', '1%202') },
	}),
	endpoint('GET /api/roles/code', ['role:manage'], { query: { name: keyword } }),
	endpoint('GET /api/employees/:id/access', ['permission:view', 'employee:manage'], { alsoOneOf: sees }),
	endpoint('POST /api/employees/:id/roles', ['employee:manage'], {
		body: { roleId: required(id), until: optionalDay },
		sample: { roleId: 3, until: '2999-12-31' },
	}),
	endpoint('POST /api/employees/:id/restore', ['employee:manage'], {
		query: {
			storeId: idInQuery,
			roleIds: numbersInQuery(20, ['2', '2,3'], '2,0', '2%203'),
		},
	}),
	endpoint('POST /api/employees/changes', ['employee:manage'], {
		body: { ids: required(ids), change: required(change) },
		sample: { ids: [1], change: { status: 'ACTIVE' } },
		query: { dryRun: flag },
	}),
	endpoint('POST /api/employees/changes/:groupId/undo', ['employee:manage'], { query: { others: flag } }),
	endpoint('POST /api/stores/:id/close', ['store:manage'], {
		alsoOneOf: ['employee:manage'],
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		body: { moveTo: id, then: required(closing) },
		// biome-ignore lint/suspicious/noThenProperty: a field of the API, and its text is no function.
		sample: { moveTo: 2, then: 'DISABLE' },
	}),
	endpoint('GET /api/stores/:id/closing', ['store:manage'], { alsoOneOf: ['employee:manage'] }),
	endpoint('POST /api/employees/import', ['employee:manage'], importingPeople),
	endpoint('POST /api/stores/import', ['store:manage'], importing),
	endpoint('POST /api/stores/import/problems', ['store:manage'], { ...importing, ...marking }),
	endpoint('GET /api/stores/export', ['store:view'], {
		answersFile: [csvType, xlsxType],
		query: { format: fileFormat, status: statusInQuery, keyword, search: keyword, areaId: idInQuery },
	}),
	endpoint('POST /api/employees/import/problems', ['employee:manage'], { ...importingPeople, ...marking }),
	endpoint('GET /api/employees/import/template', ['employee:manage'], { answersFile: [xlsxType] }),
	endpoint('GET /api/stores/import/template', ['store:manage'], { answersFile: [xlsxType] }),
	endpoint('GET /api/employees/export', sees, {
		writes: true,
		answersFile: [csvType, xlsxType],
		query: { format: fileFormat, storeId: idInQuery, status: statusInQuery, keyword, ...employeeFilters },
	}),
	endpoint('GET /api/employees/:id/reach', sees),
	endpoint('PUT /api/employees/:id/reach', ['employee:manage'], {
		body: { stores: required(reachOf('storeId')), areas: required(reachOf('areaId')) },
		sample: { stores: [], areas: [] },
	}),
	endpoint('GET /api/chain', []),
	endpoint('PUT /api/chain', ['*'], { body: { name: required(uniqueName(20)) }, sample: { name: '样店' } }),
	endpoint('GET /api/areas', ['store:view']),
	endpoint('GET /api/areas/:id', ['store:view']),
	endpoint('POST /api/areas', ['store:manage'], area),
	endpoint('PATCH /api/areas/:id', ['store:manage'], area),
	endpoint('DELETE /api/areas/:id', ['store:manage']),
	endpoint('POST /api/stores/changes', ['store:manage'], {
		body: { ids: required(ids), change: required(storesChange) },
		sample: { ids: [1], change: { areaId: null } },
		query: { dryRun: flag },
	}),
	endpoint('GET /api/pinyin', [], { query: { text: lineInQuery(500) } }),
	endpoint('GET /api/administrators', ['*']),
	endpoint('POST /api/administrators', ['*'], {
		body: { username: required(uniqueName(50)) },
		sample: { username: 'second-super' },
	}),
	endpoint('DELETE /api/administrators/:id', ['*']),
	endpoint('GET /api/programs', ['permission:view']),
	endpoint('GET /api/programs/:id', ['permission:view']),
	endpoint('POST /api/programs', ['permission:manage'], {
		body: { ...program, name: required(program.name), permissions: required(codesOfProgram), endsOn: day },
		sample: { name: '样程', permissions: ['store:view'], endsOn: '2999-12-31' },
	}),
	endpoint('PATCH /api/programs/:id', ['permission:manage'], { body: program, sample: { name: '样程' } }),
	endpoint('POST /api/programs/:id/key', ['permission:manage'], { query: atOnce }),
	endpoint('POST /api/programs/:id/secret', ['permission:manage'], { query: atOnce }),
	endpoint('DELETE /api/programs/:id', ['permission:manage']),
	endpoint('GET /api/changes', ['employee:view:all'], {
		query: {
			after: {
				good: [`c${'A'.repeat(32)}`, `c${'-_z0'.repeat(8)}`],
				bad: [
					'',
					...words('0 1 4711 -1 null newest c %F0'),
					'9'.repeat(33),
					'A'.repeat(33),
					`C${'A'.repeat(32)}`,
					`%20c${'A'.repeat(32)}`,
					`c${'%EF%BC%A1'.repeat(32)}`,
					`c${'A'.repeat(32)},c${'A'.repeat(32)}`,
					...[31, 33, 5000].map((length) => `c${'A'.repeat(length)}`),
					...['%3D', '%2B', '%2F'].map((character) => `c${'A'.repeat(31)}${character}`),
					...['%0A', '%00'].map((character) => `c${'A'.repeat(32)}${character}`),
				],
			},
			newest: onlyTrue,
			limit: integers(['1', '1000'], '1001', '9007199254740991'),
			wait: { good: ['0', '25'], bad: [...badIntegers.filter((text) => text !== '0'), '26', '00', ''] },
		},
	}),
	endpoint('GET /api/overview/reach', ['employee:view:store']),
	endpoint('GET /api/overview', ['store:view'], { alsoOneOf: ['employee:view:all'] }),
	endpoint('GET /api/roles/holders', ['role:view'], { alsoOneOf: sees }),
	endpoint('GET /api/roles/:id/employees', ['role:view'], { alsoOneOf: sees, query: paging }),
];

/** All routes. */
export const endpoints: readonly Endpoint[] = [...specified, ...additions];

/** The endpoint of this method and path. @throws Error when there is none. */
export function endpointNamed(name: string): Endpoint {
	const endpoint = endpoints.find((each) => nameOf(each) === name);
	if (!endpoint) throw new Error(`${name} is not in the table`);
	return endpoint;
}

export const protectedEndpoints = endpoints.filter((endpoint) => !endpoint.public);

const programFields =
	'id name permissions storeId~ storeName~ endsOn~ redirectUris signOutUris isPublic signInPermission~ lastUsedAt~ createdAt updatedAt';

/** The fields of every named answer; `~` marks those that may be null, `?` those that may be absent. */
export const resources = {
	AuthUser:
		'id username displayName accountType storeId? storeName? roles permissions canManage mustSetPassword? ' +
		'mustEnableSecondFactor? session? reach?',
	Reach: 'stores areas',
	Chain: 'name~',
	Store: 'id name address~ phone~ area~? status createdAt updatedAt',
	StoreOption: 'id name address~ phone~ area~?',
	StoreDetail: 'id name address~ phone~ area~? status createdAt updatedAt employees',
	AreaOption: 'id name',
	Area: 'id name stores createdAt updatedAt',
	Role: 'id code name description~ isSystem createdAt updatedAt',
	RoleSummary: 'id code name',
	Employee:
		'id storeId storeName storeStatus name phone status statusTags remark~ roles createdAt updatedAt ' +
		'lastSignInAt~? passwordIsInitial? leavesOn~? roleEnds? externalId~?',
	EmployeeStatusTag: 'code label variant',
	PermissionMenu: 'key title icon? permission actions',
	PermissionDefinition: 'code title description groupKey groupTitle',
	PermissionPoint: 'id code title description~ groupTitle roles employees createdAt updatedAt',
	Approval: 'id at permission title? subject requestedBy approvedBy',
	ApprovalCode: 'code validFor wrongCodes',
	Changes: 'items next reset',
	ChangedThing: 'id at type targetId deleted',
	Administrator: 'id username createdAt lastSignInAt~ hasSecondFactor',
	NewAdministrator: 'id username createdAt lastSignInAt~ hasSecondFactor password expiresAt',
	Program: programFields,
	NewProgram: `${programFields} key? clientSecret?`,
	ProgramWithKey: `${programFields} key`,
	ProgramWithSecret: `${programFields} clientSecret`,
	PermissionPolicy: 'roleId roleCode roleName roleDescription isSystem editable scope permissions menus',
	Reading: 'character reading',
	Pagination: 'page pageSize total totalPages',
};

/** Whether no program may call an endpoint: one's own account, passwords, second factors, approvals and keys. */
export const isForPeople = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) =>
	`${method} ${path}` === 'POST /api/approvals' ||
	/^\/api\/(?:auth|programs|administrators)\b|\/(?:password(?:\/reset)?|one-time-passwords?|second-factor|sign-ins)$/.test(
		path,
	);

/** Whether an endpoint takes `If-Match`: it changes one store, role, policy or employee, or imports what was checked. */
export const isConditional = ({ method, path }: Endpoint) =>
	/^(PATCH|PUT|DELETE) \/api\/(stores|areas|roles|employees|permissions|programs)\//.test(`${method} ${path}`) ||
	/\/(key|secret|close|one-time-password|:id\/roles|import)$/.test(path);

/** Whether an endpoint takes the `Device-Token` of the account, because it takes its password. */
export const takesDevice = (endpoint: Endpoint) =>
	signsIn(endpoint) ||
	(endpoint.path.startsWith('/api/auth/me/second-factor') && endpoint.body?.password !== undefined);

/** The paths of one store, role, policy or employee. */
const ofOne = new RegExp(
	'^/api/(stores|areas|roles|employees|programs|permissions/(?:roles|points))/:\\w+' +
		'(/status|/key|/secret|/password.*|/roles|/reach|/restore)?$',
);

/** Whether an endpoint answers with one store, role, policy or employee, and so with its `ETag`. */
export const isTagged = ({ method, path }: Endpoint) =>
	(method !== 'DELETE' && ofOne.test(path)) ||
	(method === 'POST' && /^\/api\/(stores|areas|roles|employees|programs|permissions\/points)$/.test(path));

/** Whether an endpoint takes the password of the account itself, and so takes and answers a `Device-Token`. */
export const signsIn = ({ method, path }: Endpoint) =>
	method !== 'GET' && /^\/api\/auth\/(.*login|me\/password)$/.test(path);

/** The name of an endpoint in the names of tests. */
export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** The fields of the bodies or queries of endpoints, as rows that begin with the names for a test. */
export const fieldsOf = (some: readonly Endpoint[], part: 'body' | 'query') =>
	some.flatMap((endpoint) =>
		Object.entries(endpoint[part] ?? {}).map(([name, field]) => [nameOf(endpoint), name, endpoint, field] as const),
	);

/** The names of endpoints, from a text of paths for each method. */
export const namesOf = (paths: Partial<Record<Endpoint['method'], string>>): string[] =>
	Object.entries(paths).flatMap(([method, text]) => words(text).map((path) => `${method} ${path}`));

/**
 * Every 401, 403, 409 and 400 `BAD_REQUEST` by its message: its status, and the path (`-` for none) and the reason in its
 * one detail; `|` stands between alternatives. `N` stands for a number, and `…` for a quoted text or a list.
 */
export const ruleRefusals: Record<string, string> = {
	未登录或登录已失效:
		'401 headers.authorization account_gone|key_ended|key_invalid|token_ended|token_expired|token_invalid|token_missing',
	用户名或密码错误: '401 - wrong_credentials',
	账号已被禁用: '401 account.status account_disabled',
	所属门店已被禁用: '401 store.status store_disabled',
	当前账号没有后台登录权限: '401 account.permissions no_back_office',
	请输入动态验证码: '401 body.code second_factor_code_required',
	'登录已满 N 小时，请重新登录': '401 token renewal_over',
	没有权限执行此操作:
		'403 account.permissions missing_permission|missing_any_permission|missing_own_point|not_for_one_store' +
		'|not_for_programs|only_for_employees',
	只能查看和管理您负责的门店的员工: '403 params.id|params.storeId|query.storeId|body.storeId|body.moveTo out_of_reach',
	'超出您可以授予的范围：…':
		'403 params.id|query.roleIds|query.storeId|body.roleId|body.roleIds|body.status|body.leavesOn|body.storeId|body.moveTo' +
		'|body.stores|body.areas missing_rights',
	'该程序的权限或门店超出您的范围：…': '403 params.id|body.permissions|body.storeId|body.endsOn missing_rights',
	'不能操作…': '403 params.id|params.employeeId missing_rights',
	'不能为该员工设置密码或移除两步验证：…': '403 params.id missing_rights',
	'不能给自己增加权限：“…”': '403 body.roleId|body.roleIds missing_own_permission',
	不能更改自己的最后工作日: '403 body.leavesOn own_account',
	不能更改自己负责的门店: '403 params.id own_account',
	'不能为自己生成一次性密码，请在自己的账号中修改密码': '403 params.id own_account',
	'不能删除自己的账号，请其他超级管理员操作': '403 params.id own_account',
	请在自己的账号中关闭两步验证: '403 params.id own_account',
	'该区域已有员工负责，须长期负责该门店才能加入': '403 body.areaId|body.change.areaId area_given',
	授权码无效: '403 body.code wrong_code',
	授权人没有此权限: '403 body.permission approver_lacks_permission',
	请先设置自己的密码: '403 account.password own_password_required',
	请先开启两步验证: '403 account.secondFactor second_factor_required',
	门店名称已存在: '409 body.name not_unique',
	'门店数量已达上限（N 个）': '400 body limit_reached',
	区域名称已存在: '409 body.name not_unique',
	区域不存在或已删除: '400 body.areaId|body.change.areaId|body.areas.N.areaId area_not_found',
	'区域数量已达上限（N 个）': '400 body limit_reached',
	没有可以撤销的更改: '409 params.groupId nothing_to_undo',
	'门店之后又被禁用过，这次关闭不能撤销': '409 params.groupId changed',
	'门店下仍有 N 名员工，不能删除': '409 params.id in_use',
	'门店下仍有 N 名员工，请指定接收他们的门店': '409 params.id in_use',
	'接收员工的门店不存在、已禁用或就是本店': '400 body.moveTo store_not_found|store_inactive|store_is_own',
	'CSV 文件中有无法识别的文字，请另存为 XLSX 文件后重试': '400 body encoding_unknown',
	'第一个工作表的前 N 行中没有完整的标题，缺少：…': '400 body headings_missing',
	'标题“…”出现了多次': '400 body heading_repeated',
	'CSV 文件第 N 行的双引号有误，请改正，或另存为 XLSX 文件后重试': '400 body line_unreadable',
	'文件已损坏，或不是 XLSX 文件，请另存为 XLSX 文件后重试': '400 body file_unreadable',
	'是旧版 XLS 文件或加密的文件，请另存为不加密的 XLSX 文件': '400 body old_format',
	第一个工作表中没有要导入的员工: '400 body no_lines',
	第一个工作表中没有要导入的门店: '400 body no_lines',
	角色编码已存在: '409 body.code not_unique',
	'角色数量已达上限（N 个）': '409 body limit_reached',
	内置角色不可修改或删除: '409 params.id built_in',
	'角色仍绑定 N 名员工，不能删除': '409 params.id in_use',
	权限编码已存在: '409 body.code not_unique',
	'登录“…”需要该权限，请先修改该接入程序': '409 params.id required_by_program',
	'“…”是系统权限的分组，请换一个': '400 body.code reserved',
	'“…”是系统权限的名称，请换一个': '400 body.title reserved',
	'“…”是系统权限的名称，请换一个分组名称': '400 body.groupTitle reserved',
	'自定义权限数量已达上限（N 个）': '400 body limit_reached',
	用户名已存在: '409 body.username not_unique',
	用户名不能是手机号: '400 body.username is_phone',
	'超级管理员数量已达上限（N 个）': '400 body limit_reached',
	接入程序名称已存在: '409 body.name not_unique',
	'接入程序数量已达上限（N 个）': '400 body limit_reached',
	只查看本店员工的程序须指定一家门店: '400 body.storeId store_required',
	能查看全部员工或不查看员工的程序不能指定门店: '400 body.storeId store_not_allowed',
	指定的门店不存在或已删除: '400 body.storeId store_not_found',
	程序到期日不能早于今天: '400 body.endsOn day_over',
	有权限的程序须有到期日: '400 body.endsOn day_required',
	'须选择至少一项权限，或填写登录后返回的地址': '400 body.permissions purpose_required',
	没有权限的程序不用密钥: '400 params.id no_key',
	只有用登录且能保密的程序才有登录密钥: '400 params.id no_secret',
	程序到期日最远为一年后的今天: '400 body.endsOn day_too_late',
	须为另一家已启用的门店: '400 body.stores.N.storeId store_not_found|store_inactive|store_is_own',
	同一门店或区域只能有一项: '400 body.stores.N.storeId|body.areas.N.areaId repeated',
	手机号已存在: '409 body.phone not_unique',
	'这个手机号曾属于其他门店的员工。要让该员工返岗，请联系超级管理员；如果是另一个人，请再次保存':
		'409 body.phone former_elsewhere',
	工号已存在: '409 body.externalId not_unique',
	门店不存在或已禁用: '400 body.storeId|query.storeId store_not_found|store_inactive',
	'角色不存在或已删除：…': '400 body.roleIds|body.roleId|query.roleIds role_not_found',
	'一名员工最多有 N 个角色': '400 body.roleId too_many',
	最后工作日不能早于今天: '400 body.leavesOn day_over',
	到期日不能早于今天: '400 body.until|body.stores.N.until|body.areas.N.until day_over',
	'该员工没有被删除，无需返岗': '409 params.id not_deleted',
	'手机号已被“…”使用': '409 params.id not_unique',
	手机号已被其他门店的员工使用: '409 params.id not_unique',
	'工号已被“…”使用': '409 params.id not_unique',
	工号已被其他门店的员工使用: '409 params.id not_unique',
	'原门店“…”已删除或已禁用，请选择其他门店': '400 query.storeId store_not_found|store_inactive',
	原密码错误: '400 body.oldPassword wrong_password',
	'一次性密码已过期，请联系为您开通账号的同事或管理员': '400|401 body.oldPassword|account.password password_expired',
	新密码不能与一次性密码相同: '400 body.newPassword same_password',
	'这个密码不止一个人知道，请换一个': '400 body.newPassword shared_password',
	'这个密码太常见，容易被猜到，请换一个': '400 body.newPassword common_password',
	'密码不要用手机号、姓名或品牌名称，请换一个': '400 body.newPassword personal_password',
	密码错误: '400 body.password wrong_password',
	动态验证码错误: '400|401 body.code wrong_code',
	已开启两步验证: '409 account.secondFactor second_factor_on',
	未开启两步验证: '409 account.secondFactor second_factor_off',
	请先获取两步验证的密钥: '409 account.secondFactor second_factor_not_started',
	'超过 N 小时的更改不能撤销': '409 params.groupId too_late',
};

/** The tags of an employee: one of the first two, with or without the last. */
export const enabledTag = { code: 'EMPLOYEE_ACTIVE', label: '员工启用', variant: 'success' };
export const disabledTag = { code: 'EMPLOYEE_INACTIVE', label: '员工禁用', variant: 'default' };
export const storeDisabledTag = { code: 'STORE_INACTIVE', label: '门店禁用', variant: 'warning' };

/** Fields that only the service sets, under their JSON and database names. */
export const serverOwned = {
	id: 999,
	isSystem: true,
	is_system: 1,
	tokenVersion: 99,
	token_version: 99,
	version: 99,
	passwordHash: 'x',
	password_hash: 'x',
	password: 'chosen-by-the-client',
	deletedAt: '2020-01-01T00:00:00.000Z',
	deleted_at: '2020-01-01T00:00:00.000Z',
	createdAt: '2020-01-01T00:00:00.000Z',
	updatedAt: '2020-01-01T00:00:00.000Z',
	storeName: '别店',
	storeStatus: 'INACTIVE',
	statusTags: [],
	employees: [],
	roles: [{ id: 1, code: 'admin', name: '管理员' }],
	accountType: 'SUPER_ADMIN',
	editable: false,
	scope: 'all stores',
};

/** Fills the parameters of a path in order. The last value fills all that remain. */
export function fill(path: string, ...values: (number | string)[]): string {
	const left = values.toReversed();
	return path.replace(/:\w+/g, () => String(left.length > 1 ? left.pop() : left[0]));
}

/** Random numbers from 0 to 1, the same in every run (mulberry32), so that failures are reproducible. */
export function seeded(seed: number) {
	let state = seed;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		random,
		below: (limit: number) => Math.floor(random() * limit),
		pick<T>(values: readonly T[]): T {
			const value = values[Math.floor(random() * values.length)];
			if (value === undefined) throw new Error('nothing to pick from');
			return value;
		},
	};
}
