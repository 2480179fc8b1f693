/** Places on other machines for copies of backups: a folder, such as a mounted NAS, or an S3 bucket. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { S3Client, type S3File } from 'bun';
import type { bucketVariables, Config } from '../machine/config.ts';
import { partialPath, publish } from '../machine/durable-file.ts';
import { explainFileError, withExplanation } from '../machine/file-access.ts';
import { codeOf, messageOf, OperationError } from '../vocabulary/errors.ts';

/** A place of copies. Every method throws OperationError with one line that names the place. */
export interface Place {
	/** The configured name, without a slash at its end. */
	name: string;
	list(): Promise<string[]>;
	/** Writes a file completely or not at all. */
	write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
	/** @param length reads only so many bytes from the beginning */
	read(name: string, length?: number): AsyncIterable<Uint8Array>;
	remove(name: string): Promise<void>;
}

/** A place from which copies are read: of this program, or the folder of a file that somebody named. */
export type CopySource = Pick<Place, 'name' | 'list' | 'read'>;

export type BucketSettings = Pick<Config, (typeof bucketVariables)[number]>;

/** The time that a place may take without progress, in milliseconds. */
const defaultPatience = 60_000;

/** The time that a place may hold up a command which can do without it, in milliseconds. */
export const shortPatience = 10_000;

/** Whether a text names a bucket. */
export function isBucket(text: string): boolean {
	return /^s3:\/\/[^/]+(\/|$)/.test(text);
}

/** Whether a place is a folder or inside it. Links are not followed, because a dead network never answers. */
export function isInside(folder: string, place: string): boolean {
	const path = relative(folder, place);
	return place.startsWith('/') && path !== '..' && !path.startsWith('../');
}

/** Whether the file system answers within a time in milliseconds, also that there is no such folder. A dead network does not. */
export async function answers(folder: string, patience: number): Promise<boolean> {
	const looked = Promise.allSettled([stat(folder)]).then(() => true);
	return await Promise.race([looked, Bun.sleep(patience).then(() => false)]);
}

/** The problem of a place inside the data folder, which is lost together with the data. */
export function findInnerPlaceProblem({ DATA_DIR, BACKUP_TO = '' }: Pick<Config, 'DATA_DIR' | 'BACKUP_TO'>) {
	if (!isInside(DATA_DIR, BACKUP_TO)) return undefined;
	return `${BACKUP_TO} is in DATA_DIR and is lost with it: set BACKUP_TO to a place on another machine`;
}

/** The place that a text names. Nothing is read yet. */
export function placeAt(text: string, settings: BucketSettings, patience = defaultPatience): Place {
	const name = text.replace(/(?<=.)\/+$/, '');
	return isBucket(name) ? bucketAt(name, settings, patience) : folderAt(name, patience);
}

function folderAt(folder: string, patience: number): Place {
	return {
		name: folder,
		list: () => answeredWithin(patience, folder, listFolder(folder)),
		async write(name, content) {
			const target = join(folder, name);
			const partial = partialPath(target);
			await writeNew(partial, content, folder);
			withExplanation(folder, () => publish(partial, target));
		},
		read: (name, length) => readFrom(join(folder, name), length),
		remove: async (name) => withExplanation(folder, () => rmSync(join(folder, name))),
	};
}

async function listFolder(folder: string): Promise<string[]> {
	try {
		const entries = await readdir(folder, { withFileTypes: true });
		return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
	} catch (error) {
		throw new OperationError(explainFileError(folder, error));
	}
}

async function* readFrom(path: string, length?: number): AsyncGenerator<Uint8Array> {
	try {
		yield* Bun.file(path).slice(0, length).stream();
	} catch (error) {
		throw new OperationError(explainFileError(path, error));
	}
}

/** Writes a new private file, completely or not at all. @throws OperationError with one line that names `place` */
export async function writeNew(path: string, content: AsyncIterable<Uint8Array>, place = path): Promise<void> {
	const file = withExplanation(place, () => openSync(path, 'wx', 0o600));
	try {
		for await (const bytes of content) {
			writeFileSync(file, bytes);
			// Without this pause, a fast stream would keep signals from being handled.
			await setImmediate();
		}
	} catch (error) {
		withExplanation(place, () => rmSync(path, { force: true }));
		throw error instanceof OperationError ? error : new OperationError(explainFileError(place, error));
	} finally {
		closeSync(file);
	}
}

/** Limits the time of a call and explains its errors. */
type Answered = <T>(work: Promise<T>) => Promise<T>;

function bucketAt(name: string, settings: BucketSettings, patience: number): Place {
	// The client drops slashes at the beginning of a key when it writes, but not when it lists.
	const [, bucketName = '', path = ''] = /^s3:\/\/([^/]+)\/*(.*)$/.exec(name) ?? [];
	const prefix = path === '' ? '' : `${path}/`;
	const client = clientFor(bucketName, settings);
	const object = (file: string) => client.file(prefix + file);
	const answered: Answered = (work) => answeredWithin(patience, name, work);
	return {
		name,
		list: () => listObjects(client, prefix, answered),
		write: (file, content) => writeObject(object(file), content, answered),
		read: (file, length) => readObject(length ? object(file).slice(0, length) : object(file), answered),
		remove: (file) => answered(object(file).delete()),
	};
}

function clientFor(bucket: string, settings: BucketSettings): S3Client {
	return new S3Client({
		bucket,
		...(settings.S3_ENDPOINT && { endpoint: settings.S3_ENDPOINT }),
		...(settings.S3_REGION && { region: settings.S3_REGION }),
		...(settings.S3_ACCESS_KEY_ID && { accessKeyId: settings.S3_ACCESS_KEY_ID }),
		...(settings.S3_SECRET_ACCESS_KEY && { secretAccessKey: settings.S3_SECRET_ACCESS_KEY }),
	});
}

/** Limits the time of a call, because a dead network never answers, and explains the client's errors. */
async function answeredWithin<T>(patience: number, name: string, work: Promise<T>): Promise<T> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(new Error(`it did nothing for ${patience / 1000} seconds`)), patience);
	try {
		return await Promise.race([work, late.promise]);
	} catch (error) {
		if (error instanceof OperationError) throw error;
		const code = codeOf(error);
		const reason = reasons[code] ?? `${messageOf(error)}${code && ` (${code}), check its name and the S3_ settings`}`;
		throw new OperationError(`cannot use ${name}: ${reason}`);
	} finally {
		clearTimeout(timer);
	}
}

async function listObjects(client: S3Client, prefix: string, answered: Answered): Promise<string[]> {
	const found: string[] = [];
	let next: string | undefined;
	do {
		const page: Awaited<ReturnType<typeof client.list>> = await answered(
			client.list({ prefix, ...(next && { continuationToken: next }) }),
		);
		for (const { key } of page.contents ?? []) found.push(key.slice(prefix.length));
		next = page.isTruncated ? page.nextContinuationToken : undefined;
	} while (next !== undefined);
	return found;
}

async function writeObject(object: S3File, content: AsyncIterable<Uint8Array>, answered: Answered): Promise<void> {
	// Parts of 5 MiB are the smallest of the protocol. The object appears with the last part.
	const writer = object.writer({ partSize: 5 * 1024 * 1024, queueSize: 2, retry: 3 });
	try {
		for await (const bytes of content) {
			writer.write(bytes);
			await answered(Promise.resolve(writer.flush()));
		}
		await answered(Promise.resolve(writer.end()));
	} catch (error) {
		writer.end(error instanceof Error ? error : new Error(String(error)));
		throw error;
	}
}

async function* readObject(object: S3File, answered: Answered): AsyncGenerator<Uint8Array> {
	const reader = object.stream().getReader();
	for (;;) {
		const { done, value } = await answered(reader.read());
		if (done) return;
		yield value;
	}
}

/** The client's errors, explained to an operator. */
const reasons: Readonly<Record<string, string>> = {
	NoSuchKey: 'there is no such file in it, check its name and S3_ENDPOINT',
	NoSuchBucket: 'there is no such bucket, create it or correct its name',
	InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there',
	SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is wrong',
	AccessDenied: 'the key may not do this, check its rights',
	QuotaExceeded: 'it is full, make room',
	ConnectionRefused: 'nothing answers at S3_ENDPOINT, correct it',
	DNSResolveFailed: 'the name in S3_ENDPOINT is not known, correct it or the network',
	TLSHandshakeFailed: 'S3_ENDPOINT does not speak TLS, correct it',
	ERR_S3_MISSING_CREDENTIALS: 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not given, give both',
};
