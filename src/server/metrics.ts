/** Figures about the service in the text format of Prometheus, on a separate address, without names or phones. */
import { listBackups } from '../platform/database/backup.ts';
import type { Config } from '../platform/machine/config.ts';
import { freeBytesAt, isThere, sizeOf } from '../platform/machine/file-access.ts';
import type { Log } from '../platform/machine/log.ts';
import { messageOf, OperationError, orUndefined } from '../platform/vocabulary/errors.ts';
import type { ListenAddress } from '../platform/vocabulary/network.ts';
import { readTls } from './certificate.ts';
import { explainListening } from './listen.ts';
import { readBackupProblems } from './scheduled-backups.ts';

/** The upper bounds of the buckets of durations, in seconds. */
const buckets = [0.005, 0.025, 0.1, 0.5, 2.5];

const durations = 'access_request_duration_seconds';

/** Makes the counters of a service. */
export function createMetrics(config: Config) {
	/** Values by name and labels. Routes are templates, so there are a few thousand at most. */
	const totals = new Map<string, number>();
	const add = (sample: string, value: number) => totals.set(sample, (totals.get(sample) ?? 0) + value);
	function count({ method, route = '', status, ms }: Readonly<Record<string, unknown>>): void {
		const labels = `method="${method}",route="${route}",status="${status}"`;
		const seconds = Number(ms) / 1000;
		for (const limit of buckets) add(`${durations}_bucket{${labels},le="${limit}"}`, seconds <= limit ? 1 : 0);
		add(`${durations}_bucket{${labels},le="+Inf"}`, 1);
		add(`${durations}_sum{${labels}}`, seconds);
		add(`${durations}_count{${labels}}`, 1);
	}
	return {
		/** A log that also counts its lines about requests. */
		counting: (log: Log): Log => ({
			...log,
			info(message, fields) {
				if (message === 'request' && fields) count(fields);
				log.info(message, fields);
			},
		}),
		text() {
			const head = [`# HELP ${durations} Duration of requests.`, `# TYPE ${durations} histogram`];
			const counted = Array.from(totals, ([sample, value]) => `${sample} ${value}`);
			return [...head, ...counted, ...formatGauges(config)].join('\n').concat('\n');
		},
	};
}

function formatGauges(config: Config): string[] {
	const { path, database, backups } = config.folder;
	const newest = listBackups(backups).past.at(-1);
	const problems = Object.keys(readBackupProblems(config.folder)).length;
	// The log reports unusable files.
	const tlsEnd = toSeconds(orUndefined(() => readTls(config))?.validTo);
	const gauges = {
		access_uptime_seconds: ['Since the start.', process.uptime()],
		access_memory_bytes: ['Memory of the process.', process.memoryUsage.rss()],
		access_database_bytes: ['The database.', sizeOf(database)],
		access_database_log_bytes: ["The database's write-ahead log.", sizeOf(`${database}-wal`)],
		access_disk_free_bytes: ['Free on the disk of the database.', isThere(path) ? freeBytesAt(path) : undefined],
		access_backup_timestamp_seconds: ['Time of the newest backup.', toSeconds(newest?.at)],
		access_backup_problems: ['Number of problems with the newest backup and its copy.', problems],
		access_certificate_end_timestamp_seconds: ['End of the validity of the certificate.', tlsEnd],
	} as const;
	return Object.entries(gauges).flatMap(([name, [help, value]]) =>
		value === undefined ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`],
	);
}

const toSeconds = (at: Date | undefined) => at && at.getTime() / 1000;

/** Answers only `GET /metrics`. @returns a function that stops it. @throws OperationError */
export function serveMetrics(text: () => string, { host, port }: ListenAddress, log: Log): () => Promise<void> {
	try {
		const server = Bun.serve({
			hostname: host,
			port,
			routes: { '/metrics': { GET: () => new Response(text(), { headers: { 'content-type': contentType } }) } },
			// An answer with nothing of the program in it.
			error: (error) => {
				log.error('the figures cannot be read', { error: messageOf(error) });
				return new Response('the figures cannot be read\n', { status: 500 });
			},
			development: false,
			// Otherwise two servers would share the port, and each answer for the other.
			reusePort: false,
			fetch: () => new Response('only /metrics is here\n', { status: 404 }),
		});
		return () => server.stop(true);
	} catch (error) {
		throw new OperationError(`METRICS_LISTEN=${host}:${port} cannot be used: ${explainListening(error, port)}`);
	}
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8';
