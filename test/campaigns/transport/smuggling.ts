/** Requests whose end is stated in two ways, or in none: each hides another request, which must never be carried out. */

/** How a request says where it ends, and what stands in its body. */
interface Framing {
	name: string;
	/** After the request line; each line with its end. */
	headers: string;
	body: string;
	/** Instead of `HTTP/1.1`. */
	version?: string;
	/** An unusual end of the request line. */
	lineEnd?: string;
	/** It is unusual, but the standard allows it: it may succeed. */
	lawful?: true;
}

/** Invalid spellings of `chunked`, and encodings that must be refused beside a length (RFC 9112, section 6). */
const encodings = [
	...['xchunked', 'chunked, identity', 'identity', 'gzip', 'cow', '"chunked"', 'chunked;q=1', 'chunked, chunked'],
	...['chunked\x0b', '\x0bchunked', 'chunked\0', 'chunk\0ed', 'chunked\xff', 'chun ked', 'chunked x', ''],
];

/** Every way of hiding `inside` that is tried. */
export function framings(inside: string): Framing[] {
	const ended = `0\r\n\r\n${inside}`;
	return [
		...bothWays(ended),
		...lengths(inside),
		...encodings.map((encoding) => ({
			name: `Transfer-Encoding: ${JSON.stringify(encoding)}`,
			headers: `Transfer-Encoding: ${encoding}\r\n`,
			body: ended,
		})),
		...chunks(inside),
		...headerLines(inside),
		...requestLines(inside),
	];
}

function bothWays(body: string): Framing[] {
	const length = `Content-Length: ${body.length}\r\n`;
	const chunked = [
		'chunked',
		'Chunked',
		'CHUNKED',
		'\tchunked',
		'gzip, chunked',
		'chunked,',
		', chunked',
		...encodings,
	];
	return [
		...chunked.map((encoding) => ({
			name: `a length and Transfer-Encoding: ${JSON.stringify(encoding)}`,
			headers: `${length}Transfer-Encoding: ${encoding}\r\n`,
			body,
		})),
		{ name: 'chunked, then a length', headers: `Transfer-Encoding: chunked\r\n${length}`, body },
		{ name: 'a length of 0, and chunked', headers: 'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', body },
		{
			name: 'two encodings and a length',
			headers: `${length}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`,
			body,
		},
	];
}

function lengths(body: string): Framing[] {
	const length = body.length;
	const odd = [
		...[`+${length}`, '-1', `-${length}`, `0x${length.toString(16)}`, `${length}a`, `${length} 0`, `0 ${length}`],
		...[`${length}e0`, `${length}.0`, '', ' ', `0, ${length}`, `${length}, 0`, `${length}\0`, `${length}\x0b`, '"0"'],
		...['18446744073709551616', '99999999999999999999', String(2n ** 64n + BigInt(length)), '-0', '4294967296x'],
	];
	return [
		...odd.map((value) => ({
			name: `Content-Length: ${JSON.stringify(value)}`,
			headers: `Content-Length: ${value}\r\n`,
			body,
		})),
		{ name: 'two lengths, 0 first', headers: `Content-Length: 0\r\nContent-Length: ${length}\r\n`, body },
		{ name: 'two lengths, 0 last', headers: `Content-Length: ${length}\r\nContent-Length: 0\r\n`, body },
		{
			name: 'the same length twice',
			headers: `Content-Length: ${length}\r\nContent-Length: ${length}\r\n`,
			body,
			lawful: true,
		},
	];
}

function chunks(inside: string): Framing[] {
	const sizes = ['0x0', '-0', '+0', '0 0', 'g', '', ' ', '0\0', '0;a=\0', '\xb2', '0\n', '0;a\n', '0\r', '0;\r'];
	const overflowing = ['10000000000000000', 'FFFFFFFFFFFFFFFF0', '100000000000000000000000000000000', '-1'];
	const bodies: [string, string][] = [
		...[...sizes, ...overflowing].map((size): [string, string] => [
			`a chunk of the size ${JSON.stringify(size)}`,
			`${size}\r\n\r\n${inside}\r\n0\r\n\r\n`,
		]),
		['a chunk that is longer than it says', `1\r\nAXX0\r\n\r\n${inside}`],
		['a chunk without its end', `1\r\nA0\r\n\r\n${inside}`],
		['a chunk that ends in a bare line feed', `1\r\nA\n0\r\n\r\n${inside}`],
		['chunks in bare line feeds', `1\nA\n0\n\n${inside}`],
	];
	return bodies.map(([name, body]) => ({ name, headers: 'Transfer-Encoding: chunked\r\n', body }));
}

function headerLines(inside: string): Framing[] {
	const length = `Content-Length: ${inside.length}\r\n`;
	const ended = `0\r\n\r\n${inside}`;
	const bothLengths = `Content-Length: ${ended.length}\r\n`;
	const hidingLength: [string, string][] = [
		['a blank before the colon', `Content-Length : ${inside.length}\r\n`],
		['a tab before the colon', `Content-Length\t: ${inside.length}\r\n`],
		['a NUL in a name', `Content-Length\0: ${inside.length}\r\n`],
		['a byte that is no ASCII in a name', `Content-Length\xff: ${inside.length}\r\n`],
		['a vertical tab in a name', `Content-Length\x0b: ${inside.length}\r\n`],
		['a folded length', `Content-Length:\r\n ${inside.length}\r\n`],
		['a length in a fold', `X-A: b\r\n Content-Length: ${inside.length}\r\n`],
		['a length in a fold of a tab', `X-A: b\r\n\tContent-Length: ${inside.length}\r\n`],
		['a NUL in a value', `X-A: b\0c\r\n${length}`],
		['a bare carriage return in a value', `X-A: b\r${length}`],
		['a bare line feed in a value', `X-A: b\n${length.slice(0, -2)}\n`],
		['a line without a colon', `X-A\r\n${length}`],
		['a line without a name', `: b\r\n${length}`],
		['a length behind a line without a colon', `Content-Length ${inside.length}\r\n`],
	];
	const hidingChunks: [string, string][] = [
		['a blank before the colon of the encoding', 'Transfer-Encoding : chunked\r\n'],
		['a folded encoding', 'Transfer-Encoding:\r\n chunked\r\n'],
		['an encoding in a fold', 'X-A: b\r\n Transfer-Encoding: chunked\r\n'],
		['an encoding behind a bare line feed', 'X-A: b\nTransfer-Encoding: chunked\r\n'],
		['an encoding behind a bare carriage return', 'X-A: b\rTransfer-Encoding: chunked\r\n'],
		['an encoding behind a NUL', 'X-A: b\0Transfer-Encoding: chunked\r\n'],
		['a NUL in the name of the encoding', 'Transfer-Encoding\0: chunked\r\n'],
	];
	return [
		...hidingLength.map(([name, headers]) => ({ name, headers, body: inside })),
		...hidingChunks.map(([name, headers]) => ({ name, headers: `${bothLengths}${headers}`, body: ended })),
	];
}

function requestLines(inside: string): Framing[] {
	const headers = `Content-Length: ${inside.length}\r\n`;
	const versions = ['HTTP/2.0', 'HTTP/1.1x', 'http/1.1', 'HTTP/1,1', 'HTTP/11', 'HTTP/1.1\0', 'X HTTP/1.1', ''];
	return [
		...versions.map((version) => ({ name: `version ${JSON.stringify(version)}`, headers, body: inside, version })),
		{
			name: 'chunked in HTTP/1.0',
			headers: 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n',
			body: `0\r\n\r\n${inside}`,
			version: 'HTTP/1.0',
		},
		{ name: 'a request line that ends in a bare line feed', headers, body: inside, lineEnd: '\n' },
		{ name: 'a request line that ends in a bare carriage return', headers, body: inside, lineEnd: '\r' },
		{ name: 'a header that begins with a blank', headers: ` ${headers}`, body: inside },
	];
}
