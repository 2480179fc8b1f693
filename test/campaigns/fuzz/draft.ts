/** Requests to an operation, made from its description in the document: valid, nearly valid and hostile ones. */
import fc from 'fast-check';
import { badIntegers } from '../../oracle.ts';
import { character } from './character.ts';
import { alternatives, type JsonSchema, nounOfParameter, type Parameter, type Target } from './schema.ts';
import type { Values } from './values.ts';

/** Who sends a request. A stranger's token is invalid. */
export type Who = 'super' | 'scoped' | 'stranger' | 'nobody';

/** A request that has not been put together yet. */
export interface Draft {
	kind: 'valid' | 'nearly' | 'hostile';
	who: Who;
	/** Chooses among the strangers. */
	nth: number;
	/** The path parameters as they stand in the URL. */
	path: Record<string, string>;
	/** The query as it stands in the URL. */
	query: (readonly [name: string, value: string])[];
	/** The members of the JSON object in the body, each value as JSON text; names can occur twice. */
	members?: (readonly [name: string, value: string])[];
	/** A body that replaces the members. */
	whole?: Uint8Array<ArrayBuffer>;
	contentType: string | undefined;
	headers: (readonly [name: string, value: string])[];
	/** A malformed one must be refused. */
	host?: { name: string; malformed: boolean };
}

/** What drafts of one document are made with. */
export interface Workshop {
	values: Values;
	schemas: Record<string, JsonSchema>;
	/** Names of fields that only the service sets, with a value for each that must never appear anywhere. */
	owned: readonly (readonly [name: string, value: string])[];
}

type Change = (draft: Draft) => Draft;

const encoder = new TextEncoder();

/** Requests to an operation, of all three kinds. */
export function drafts(target: Target, workshop: Workshop): fc.Arbitrary<Draft> {
	const valid = validDrafts(target, workshop);
	const changed = (kind: Draft['kind'], changes: fc.Arbitrary<Change>) =>
		fc.record({ draft: valid, change: changes }).map(({ draft, change }) => ({ ...change(draft), kind }));
	return fc.oneof(
		{ weight: 4, arbitrary: valid },
		{ weight: 3, arbitrary: changed('nearly', fc.oneof(...nearMisses(target, workshop))) },
		{ weight: 3, arbitrary: changed('hostile', fc.oneof(...hostilities(target))) },
	);
}

/** Requests that the document allows. */
export function validDrafts({ parameters, body, template }: Target, { values }: Workshop): fc.Arbitrary<Draft> {
	const inPath = parameters.filter(({ place }) => place === 'path');
	const inQuery = parameters.filter(({ place }) => place === 'query');
	const texts = (some: Parameter[], arbitraryOf: (parameter: Parameter) => fc.Arbitrary<unknown>) =>
		Object.fromEntries(some.map((each) => [each.name, arbitraryOf(each).map(encoded)]));
	const who = fc.oneof(
		{ weight: 16, arbitrary: fc.constant<Who>('super') },
		{ weight: 2, arbitrary: fc.constant<Who>('scoped') },
		{ weight: 1, arbitrary: fc.constantFrom<Who>('stranger', 'nobody') },
	);
	return fc
		.record({
			who,
			nth: fc.nat(1000),
			path: fc.record(
				texts(inPath, ({ name, schema }) => {
					const known = values.idOf(nounOfParameter(template, name));
					return fc.oneof({ weight: 7, arbitrary: known }, { weight: 1, arbitrary: values.of(schema, name) });
				}),
			),
			query: fc.record(
				texts(inQuery, ({ name, schema }) => values.of(schema, name)),
				{ requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
			),
			content: body ? values.of(body.schema) : fc.constant(undefined),
		})
		.map(({ query, content, path, ...rest }) => ({
			kind: 'valid',
			...rest,
			path: rest.nth % 2 === 0 ? values.belonging(template, path) : path,
			query: Object.entries(query),
			headers: [],
			contentType: content === undefined ? undefined : 'application/json',
			...bodyOf(content),
		}));
}

function encoded(value: unknown): string {
	return encodeURIComponent(String(value).toWellFormed());
}

function bodyOf(content: unknown): Pick<Draft, 'members' | 'whole'> {
	if (content === undefined) return {};
	if (typeof content !== 'object' || content === null || Array.isArray(content)) {
		return { whole: encoder.encode(JSON.stringify(content)) };
	}
	return { members: Object.entries(content).map(([name, value]) => [name, JSON.stringify(value)]) };
}

/** The body as it is sent. */
export function bytesOf({ members, whole }: Draft): Uint8Array<ArrayBuffer> | undefined {
	if (whole || !members) return whole;
	return encoder.encode(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
}

/** Changes to a valid request that the document forbids, or that it ignores. */
function nearMisses({ parameters, body }: Target, { values, schemas, owned }: Workshop) {
	const changes: fc.Arbitrary<Change>[] = parameters.map(({ name, schema, place }) => {
		const texts = fc.oneof(values.bounds(schema, name).map(encoded), fc.constantFrom(...wrongTexts));
		if (place === 'query') return texts.map((text) => setQuery(name, text));
		return texts.filter(staysInPlace).map((text) => setPath(name, text));
	});
	changes.push(fc.constantFrom('unknown', 'Page', 'id', 'limit').map((name) => addQuery(name, '1')));
	const shapes = body ? alternatives(body.schema, schemas) : [];
	const fields = Object.entries(Object.assign({}, ...shapes.map(({ properties }) => properties))) as [
		string,
		JsonSchema,
	][];
	for (const [name, schema] of fields) {
		const bounds = values.bounds(schema, name).map((value) => JSON.stringify(value));
		changes.push(bounds.map((text) => setMember(name, text)));
		changes.push(fc.constantFrom(...wrongValues).map((text) => setMember(name, text)));
		changes.push(fc.constant(dropMember(name)));
		changes.push(fc.constantFrom(...wrongValues).map((text) => addMember(name, text)));
		changes.push(fc.constant(renameMember(name, name.toUpperCase())));
	}
	if (fields.length > 0) {
		const foreign = owned.filter(([name]) => fields.every(([field]) => field !== name));
		changes.push(fc.subarray(foreign, { minLength: 1 }).map((members) => addMembers(members)));
		changes.push(fc.subarray(foreign, { minLength: 1 }).map((members) => onlyMembers(members)));
		changes.push(fc.constantFrom(...prototypes).map((member) => addMembers([member])));
		changes.push(fc.constantFrom(...prototypes).map((member) => onlyMembers([member])));
		changes.push(fc.constant(onlyMembers([])));
	}
	// A path parameter can also name another kind of thing.
	for (const { name, place } of parameters) {
		if (place !== 'path') continue;
		changes.push(values.foreignId().map((id) => setPath(name, String(id))));
	}
	return changes;
}

/** Changes that only a hostile client makes. */
function hostilities({ parameters, body, method }: Target): fc.Arbitrary<Change>[] {
	const changes: fc.Arbitrary<Change>[] = [
		fc.constantFrom(...oddQueries).map(([name, value]) => addQuery(name, value)),
		fc.constantFrom(...oddHeaders).map((header) => addHeader(header)),
		fc.constantFrom(...hosts).map((host) => (draft: Draft) => ({ ...draft, host })),
		fc.string({ unit: character, maxLength: 40 }).map((text) => addQuery(encoded(text), encoded(text))),
	];
	for (const { name, place } of parameters) {
		const texts = fc.oneof(
			fc.constantFrom(...badIntegers, ...oddTexts),
			fc.string({ unit: character, minLength: 1 }).map(encoded),
		);
		if (place === 'path') changes.push(texts.filter(staysInPlace).map((text) => setPath(name, text)));
		if (place === 'query') changes.push(texts.map((text) => setQuery(name, text)));
		if (place === 'query') changes.push(texts.map((text) => addQuery(name, text)));
	}
	if (method !== 'GET') changes.push(fc.constantFrom(...wholeBodies).map(replaceBody));
	if (!body) return changes;
	const members = fc.record({ nth: fc.nat(20), text: fc.constantFrom(...oddValues) });
	changes.push(members.map(({ nth, text }) => setNthMember(nth, text)));
	changes.push(fc.constantFrom(...oddValues).map((text) => addMember('unknown', text)));
	changes.push(fc.constantFrom(...contentTypes).map((contentType) => (draft: Draft) => ({ ...draft, contentType })));
	changes.push(fc.record({ at: fc.nat(1000), byte: fc.nat(255) }).map(({ at, byte }) => changeByte(at, byte)));
	changes.push(fc.nat(1000).map((at) => cutBody(at)));
	changes.push(fc.constantFrom(...rewritings).map((rewrite) => rewriteBody(rewrite)));
	return changes;
}

/** Whether a text stays one path segment when a URL is read as browsers do. */
function staysInPlace(text: string): boolean {
	return text !== '' && !/^(?:\.|%2e){1,2}$/i.test(text);
}

const setPath =
	(name: string, text: string): Change =>
	(draft) => ({ ...draft, path: { ...draft.path, [name]: text } });

const setQuery =
	(name: string, text: string): Change =>
	(draft) => ({ ...draft, query: [...draft.query.filter(([each]) => each !== name), [name, text]] });

const addQuery =
	(name: string, text: string): Change =>
	(draft) => ({ ...draft, query: [...draft.query, [name, text]] });

const addHeader =
	(header: readonly [string, string]): Change =>
	(draft) => ({ ...draft, headers: [...draft.headers, header] });

const dropMember =
	(name: string): Change =>
	(draft) => ({ ...draft, members: (draft.members ?? []).filter(([each]) => each !== name) });

const addMembers =
	(members: readonly (readonly [string, string])[]): Change =>
	(draft) => ({ ...draft, members: [...members, ...(draft.members ?? [])] });

const addMember =
	(name: string, text: string): Change =>
	(draft) => ({ ...draft, members: [...(draft.members ?? []), [name, text]] });

const setMember =
	(name: string, text: string): Change =>
	(draft) =>
		addMember(name, text)(dropMember(name)(draft));

const renameMember =
	(name: string, newName: string): Change =>
	(draft) => ({
		...draft,
		members: (draft.members ?? []).map(([each, text]) => [each === name ? newName : each, text] as const),
	});

const onlyMembers =
	(members: readonly (readonly [string, string])[]): Change =>
	(draft) => ({ ...draft, members: [...members] });

const setNthMember =
	(nth: number, text: string): Change =>
	(draft) => {
		const members = draft.members ?? [];
		const name = members[nth % members.length]?.[0];
		return name === undefined ? draft : setMember(name, text)(draft);
	};

const rewriteBody =
	(rewrite: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): Change =>
	(draft) => ({ ...draft, whole: rewrite(bytesOf(draft) ?? new Uint8Array()) });

const changeByte = (at: number, byte: number): Change =>
	rewriteBody((bytes) => (bytes.length === 0 ? bytes : bytes.with(at % bytes.length, byte)));

const cutBody = (at: number): Change => rewriteBody((bytes) => bytes.slice(0, at % Math.max(1, bytes.length)));

const replaceBody = (text: string): Change => rewriteBody(() => encoder.encode(text));

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Other ways to write down a body, most of them not JSON any more. */
const rewritings: ((bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>)[] = [
	(bytes) => encoder.encode(`\ufeff${text(bytes)}`),
	(bytes) => encoder.encode(`[${text(bytes)}]`),
	(bytes) => encoder.encode(`${text(bytes)}${text(bytes)}`),
	(bytes) => encoder.encode(`${text(bytes)}\0`),
	(bytes) => encoder.encode(`\t\r\n ${text(bytes)} \n`),
	(bytes) => encoder.encode(JSON.stringify(text(bytes))),
	(bytes) => encoder.encode(text(bytes).replaceAll('"', "'")),
	(bytes) => encoder.encode(text(bytes).replace(/}$/, ',}')),
	(bytes) => encoder.encode(`${text(bytes)} // a comment`),
	(bytes) => Uint8Array.from(Buffer.from(text(bytes), 'utf16le')),
	(bytes) => Uint8Array.from(Buffer.from(text(bytes).replace(/}$/, ',"x":"é"}'), 'latin1')),
];

/** JSON that is rarely of the required type. */
const wrongValues = [
	...['null', 'true', 'false', '0', '-1', '1', '2', '1.5', '21', '"1"', '""', '" "', '"text"', '"true"', '"null"'],
	...['[]', '{}', '[null]', '[1]', '["1"]', '[[1]]', '{"id":1}', '["ACTIVE"]', '"ACTIVE "', '["*"]', '"*"'],
];

const deep = (opening: string, closing: string, depth: number) => `${opening.repeat(depth)}1${closing.repeat(depth)}`;

/** JSON values, and near-JSON, that cause trouble when stored or compared. */
const oddValues = [
	...['1e400', '-1e400', '1e308', '-0', '1.0', '1e0', '10e-1', '0.1E1', '1e-400', '9007199254740993', '2147483648'],
	...['9223372036854775807', '1234567890123456789012345678901234567890', '"1e3"', '"0x10"', '"NaN"'],
	...[
		'"\\u0000"',
		'"a\\u0000b"',
		'"\\u0007\\u001f"',
		'"\\r\\n"',
		'"\\ud800"',
		'"a\\ude00\\ud83db"',
		'"\\ud83d\\ude00"',
	],
	...['"\\u007f"', '"\\u0085"', '"\\u2028\\u2029"', '"\\ufeff"', '"\\ufffe"', '"\\u202e"', '"\u{10ffff}"', '"e\u0301"'],
	...['01', '+1', '.5', '1.', 'NaN', 'Infinity', '0x1', 'undefined', "'x'", '"\\x41"', '"\t"', '"\0"', '', '"'],
	...['{"toString":1,"valueOf":1}', '{"then":1,"toJSON":1}', '{"__proto__":null}', '{"length":1,"0":1}'],
	...['"\' or 1=1 --"', '"%"', '"{{7*7}}"', '"<script>"', '"../../etc/passwd"', '"\\r\\nSet-Cookie: a=b"'],
	deep('[', ']', 500),
	deep('{"a":', '}', 500),
	deep('[', ']', 20_000),
	`"${'x'.repeat(100_000)}"`,
	`"${'😀'.repeat(20_000)}"`,
	`[${'1,'.repeat(20_000)}1]`,
];

const prototypes: (readonly [string, string])[] = [
	['__proto__', '{"polluted":"polluted","status":"INACTIVE","name":"polluted"}'],
	['constructor', '{"prototype":{"polluted":"polluted"}}'],
	['prototype', '{"polluted":"polluted"}'],
	['__defineGetter__', '"polluted"'],
	['toString', '1'],
	['hasOwnProperty', 'null'],
];

const wholeBodies = [
	...['null', '[]', '[{}]', '"text"', '5', 'true', '', ' \n ', '{', '}', '{}', '{}{}', '{"a":1,}', "{'a':1}", '{a:1}'],
	...['// no', '\0', '\ufeff', '\ufeff{}', 'name=x&status=ACTIVE', '<a/>', '--x\r\n\r\n--x--', 'NaN', 'undefined'],
	...[deep('[', ']', 20_000), deep('{"a":', '}', 20_000), '['.repeat(50_000), '"'.repeat(1000)],
];

const contentTypes = [
	...['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/json;charset=UTF-8', undefined, ''],
	...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'junk'],
	...['multipart/form-data', 'application/jsonx', 'application/merge-patch+json', 'application/json, text/plain'],
	...['application/json; charset=utf-16', 'application/json; charset=latin1', 'application/json; x=y', '*/*', ';'],
];

/** Texts in a URL that are rarely of the required type. */
const wrongTexts = ['', '0', '-1', '01', '1.0', '1e3', '%201', 'TRUE', 'true', 'active', 'null', '[]', '1,2', '*'];

const oddTexts = [
	...['%00', 'a%00b', '%07', '%0D%0A', '%FF', '%E0%A4%A', '%ED%A0%80', '%C0%AF', '%', '%zz', '+', '%2B', '%25', '_'],
	...["'", '%22', '%5C', '%F0%9F%98%80', '%EF%BB%BF', '%2F..%2F', '%3F', '%23', 'x'.repeat(5000), '%2C'.repeat(1000)],
];

const oddQueries: (readonly [string, string])[] = [
	...[['page[]', '1'] as const, ['__proto__', '1'] as const, ['__proto__[page]', 'x'] as const, ['', ''] as const],
	...[['constructor', '1'] as const, ['toString', '1'] as const, ['%', '%'] as const, ['%00', '%00'] as const],
	...[['x'.repeat(3000), 'y'] as const, ['u', '/health'] as const, ['_method', 'DELETE'] as const],
];

const oddHeaders: (readonly [string, string])[] = [
	['cookie', '__proto__=1; constructor=2; toString=3'],
	['cookie', '%E0%A4%A=%; ;;;=;'],
	['cookie', `a=${'x'.repeat(4000)}`],
	['accept', 'text/html'],
	['accept', '\u00ff;q=nothing'],
	['accept-language', 'x'.repeat(2000)],
	['origin', 'https://elsewhere.example'],
	['origin', 'null'],
	['range', 'bytes=0-0'],
	['if-none-match', '*'],
	['if-modified-since', 'never'],
	['x-http-method-override', 'DELETE'],
	['x-forwarded-host', 'x'],
	['x-forwarded-for', "127.0.0.1, ' or 1=1 --"],
	['x-original-url', '/health'],
	['x-request-id', '<script>'],
	['referer', '::::'],
	['user-agent', '\u0080\u00ff{{7*7}}'],
	['content-language', '\t\t'],
];

const hosts: { name: string; malformed: boolean }[] = [
	...['localhost', 'localhost:80', '127.0.0.1:1', 'store-server', 'EXAMPLE.com.', '[::1]', '[::1]:3000', 'a.b.c.d'].map(
		(name) => ({ name, malformed: false }),
	),
	...['x', 'abc', 'x:1', 'app:80'].map((name) => ({ name, malformed: false })),
	...['a b c', 'user@host', 'host:port', 'http://host', 'host/path', '[::1', 'host:123456', 'a..b', ','].map(
		(name) => ({ name, malformed: true }),
	),
];
