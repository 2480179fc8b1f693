/** Decompresses the files of a ZIP archive that are asked for, in small steps and never more than allowed. */
import { pacer, SheetError } from './sheet.ts';

/** One step decompresses this many bytes of the archive: at most some 4 MB of zeros, in 10 ms. */
const bytesPerStep = 4096;

/**
 * The files of an archive whose names are wanted.
 * @throws SheetError when it is no archive, or when they are larger than `limit` bytes together.
 */
export async function unzip(
	archive: Uint8Array,
	isWanted: (name: string) => boolean,
	limit: number,
): Promise<Map<string, Uint8Array>> {
	const { Unzip, UnzipInflate } = await import('fflate');
	const found = new Map<string, Uint8Array[]>();
	let size = 0;
	const reader = new Unzip((file) => {
		if (!isWanted(file.name) || found.has(file.name)) return;
		const chunks: Uint8Array[] = [];
		found.set(file.name, chunks);
		file.ondata = (error, chunk) => {
			// The reader reports what is thrown here by calling again.
			if (error) throw error;
			size += chunk.byteLength;
			if (size > limit) throw new SheetError('too many bytes');
			chunks.push(chunk);
		};
		file.start();
	});
	reader.register(UnzipInflate);
	const pace = pacer();
	try {
		for (let start = 0; start < archive.byteLength; start += bytesPerStep) {
			const end = start + bytesPerStep;
			reader.push(archive.subarray(start, end), end >= archive.byteLength);
			await pace();
		}
	} catch (error) {
		throw error instanceof SheetError ? error : new SheetError('unreadable');
	}
	return new Map(Array.from(found, ([name, chunks]) => [name, Buffer.concat(chunks)]));
}
