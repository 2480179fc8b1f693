/** A bucket of S3 on this machine. */
import { existsSync, statSync } from 'node:fs';
import { newFolder } from './program.ts';

interface StoredObject {
	bucket: string;
	key: string;
	content: AsyncIterable<Buffer> | Buffer;
	metadata: Readonly<Record<string, string>>;
}

interface Store {
	putObject(object: StoredObject): Promise<{ size: number }>;
	getResourcePath(bucket: string, key: string, kind: 'object'): string;
}

/** Starts s3rver with one bucket, `chain`. @returns the settings that reach it, and a function that ends it */
export async function startBucket(directory = newFolder()) {
	// Imported only here: it takes long to load.
	const { default: S3rver } = await import('s3rver');
	const options = { address: '127.0.0.1', port: 0, silent: true, directory };
	const server = new S3rver({ ...options, configureBuckets: [{ name: 'chain', configs: [] }] });
	storeWhole((server as unknown as { store: Store }).store);
	const { port } = (await server.run()) as { port: number };
	const keys = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
	const settings = { S3_ENDPOINT: `http://127.0.0.1:${port}`, ...keys };
	return { settings, close: () => server.close() };
}

/**
 * Makes s3rver store an object as S3 does: all of it or nothing, and before it answers. By itself it keeps the beginning
 * of an object whose upload is killed, and an early reader gets half of one.
 */
function storeWhole(store: Store): void {
	const put = store.putObject.bind(store);
	store.putObject = async (object) => {
		const content = Buffer.isBuffer(object.content)
			? object.content
			: Buffer.concat(await Array.fromAsync(object.content));
		if (content.length < Number(object.metadata['content-length'])) throw new Error(`${object.key} was not sent whole`);
		const done = await put({ ...object, content });
		const path = store.getResourcePath(object.bucket, object.key, 'object');
		while (!existsSync(path) || statSync(path).size < done.size) await Bun.sleep(1);
		return done;
	};
}
