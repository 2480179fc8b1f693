/** What systemd waits for when it starts the service (`Type=notify`). */
import { dlopen } from 'bun:ffi';

/** Of Linux. */
const [unixSocket, datagrams] = [1, 2];

/**
 * Sends systemd that the service is ready. By libc, because Bun has no datagrams of Unix, and `systemd-notify` is a child
 * whose message older versions of systemd lose when it ends too soon.
 * @param socket the value of `NOTIFY_SOCKET`.
 * @throws Error when nobody receives it.
 */
export function notifyReady(socket: string): void {
	const { symbols: libc } = dlopen('libc.so.6', {
		socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
		sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i32' },
		close: { args: ['i32'], returns: 'i32' },
	});
	const message = Buffer.from('READY=1');
	// `@` stands for the zero byte that begins an abstract name.
	const path = Buffer.from(socket.replace(/^@/, '\0'));
	const address = Buffer.concat([new Uint8Array(Uint16Array.of(unixSocket).buffer), path]);
	const opened = libc.socket(unixSocket, datagrams, 0);
	const sent = libc.sendto(opened, message, message.length, 0, address, address.length);
	libc.close(opened);
	if (sent !== message.length) throw new Error(`nobody receives at NOTIFY_SOCKET=${socket}`);
}
