/** The log: one JSON object a line, or a readable line for people at a terminal. */

/** The levels, from the most to the least detailed. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The fields of a line besides its message. They never hold a body, a token, a password or a phone number. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reports at a level. Lines below the configured level cost nothing. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: Fields) => void>;

/**
 * Makes a log. Every value passes through JSON, so nobody can forge a line. Our own, because it is on the path of every
 * request and needs only levels and two formats. @param sink receives finished lines
 */
export function createLog(sink: { write(line: string): unknown }, level: LogLevel, { forPeople = false } = {}): Log {
	const format = forPeople ? formatForPeople : formatAsJson;
	const reporter = (lineLevel: keyof Log) => {
		if (logLevels.indexOf(lineLevel) < logLevels.indexOf(level)) return () => {};
		return (message: string, fields: Fields = {}) => void sink.write(format(lineLevel, message, fields));
	};
	return { debug: reporter('debug'), info: reporter('info'), warn: reporter('warn'), error: reporter('error') };
}

function formatAsJson(level: string, message: string, fields: Fields): string {
	return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;
}

function formatForPeople(level: string, message: string, { stack, ...fields }: Fields): string {
	const time = new Date().toISOString().slice(11, 19);
	const given = Object.entries(fields).filter(([, value]) => value !== undefined);
	const shown = given.map(([name, value]) => `${name}=${isPlain(value) ? value : JSON.stringify(value)}`);
	const line = [time, level.toUpperCase().padEnd(5), message, ...shown].join(' ');
	return `${line}\n${typeof stack === 'string' ? `${stack}\n` : ''}`;
}

function isPlain(value: unknown): boolean {
	return typeof value === 'string' && /^[\w./:@-]+$/.test(value);
}

/** The maximum number of characters that wait for the reader of the log. */
const maxWaiting = 1_000_000;

/**
 * Collects the lines of one turn of the event loop and writes them at once: one system call for many requests. Until
 * `writeAll` resolves, up to `max` characters wait. Further lines are dropped, and a line reports their number.
 */
export function batchLines(writeAll: (lines: string) => Promise<void>, max = maxWaiting) {
	let waiting = '';
	let dropped = 0;
	let writing: Promise<void> | undefined;

	async function drain(): Promise<void> {
		while (waiting !== '' || dropped > 0) {
			const lost =
				dropped === 0 ? '' : formatAsJson('warn', 'log lines were lost: the reader is too slow', { count: dropped });
			const batch = waiting + lost;
			[waiting, dropped] = ['', 0];
			await writeAll(batch);
		}
	}

	function flush(): Promise<void> {
		writing ??= drain().finally(() => {
			writing = undefined;
		});
		return writing;
	}

	return {
		write(line: string): void {
			if (waiting.length + line.length > max) {
				dropped += 1;
				return;
			}
			if (waiting === '') setImmediate(flush);
			waiting += line;
		},
		flush,
	};
}
