/** Addresses and networks, IPv4 and IPv6. */
import ipaddr from 'ipaddr.js';

/** A network: its first address and the length of its prefix in bits. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses a network such as `10.0.0.0/8` or a single address such as `127.0.0.1`. Undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
	const [, before = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const address = canonicalAddress(before);
	// A prefix of an IPv4 address within IPv6 would count other bits.
	if (address === undefined || (bits !== undefined && address !== ipaddr.parse(before).toString())) return undefined;
	const parsed = ipaddr.parse(address);
	const most = parsed.kind() === 'ipv4' ? 32 : 128;
	const length = bits === undefined ? most : Number(bits);
	return length <= most ? [parsed, length] : undefined;
}

/** The canonical form of an address. An IPv4 address within IPv6 becomes IPv4. Undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
	const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
	return isAddress ? ipaddr.process(text).toString() : undefined;
}

/** Whether a canonical address lies in one of the networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
	if (networks.length === 0 || !ipaddr.isValid(address)) return false;
	const parsed = ipaddr.process(address);
	return networks.some(([first, bits]) => parsed.kind() === first.kind() && parsed.match(first, bits));
}

/**
 * The network of a client: an IPv4 address itself, or the network around an IPv6 address. Providers assign a /64 to
 * each customer, and many assign a /56.
 */
export function clientNetwork(address: string, bits: 56 | 64 = 64): string {
	if (!ipaddr.IPv6.isValid(address)) return address;
	return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** Whether only this machine can connect to a host name or address. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);
}

/** An address and a port to listen on. */
export type ListenAddress = NonNullable<ReturnType<typeof parseListenAddress>>;

/** Parses `127.0.0.1:9464` or `[::1]:9464`. Undefined for anything else. */
export function parseListenAddress(text: string) {
	const [, inBrackets, name, port] = /^(?:\[([\da-f:]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
	const host = inBrackets ?? name;
	return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}
