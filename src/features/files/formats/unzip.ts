/** Decompresses the wanted files of a ZIP archive, up to a maximum of bytes. */
import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { AppError } from '../../../platform/vocabulary/errors.ts';
import { fileRefusals, maxBytes } from './sheet.ts';

/**
 * The files of an archive whose names are wanted.
 * @throws AppError BAD_REQUEST when the archive is incomplete or a file is damaged; PAYLOAD_TOO_LARGE.
 */
export function unzip(archive: Uint8Array, isWanted: (name: string) => boolean): Map<string, Uint8Array> {
	try {
		const checksums = checksumsOf(archive);
		let size = 0;
		const files = unzipSync(archive, {
			filter({ name, originalSize }) {
				if (!isWanted(name)) return false;
				size += originalSize;
				if (size > maxBytes) throw fileRefusals.tooManyBytes();
				return true;
			},
		});
		const found = new Map(Object.entries(files));
		for (const [name, content] of found) {
			if (crc32(content) !== checksums.get(name)) throw fileRefusals.unreadable();
		}
		return found;
	} catch (error) {
		throw error instanceof AppError ? error : fileRefusals.unreadable();
	}
}

/** The beginning of the last record of an archive, and of each record of its directory. */
const signatures = { end: 0x06054b50, entry: 0x02014b50 };

/** The checksum of each file, from the directory at the end of the archive: fflate does not compare them. */
function checksumsOf(archive: Uint8Array): Map<string, number> {
	const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
	let end = archive.byteLength - 22;
	while (view.getUint32(end, true) !== signatures.end) end -= 1;
	const checksums = new Map<string, number>();
	let entry = view.getUint32(end + 16, true);
	for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
		if (view.getUint32(entry, true) !== signatures.entry) throw fileRefusals.unreadable();
		const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(entry + offset, true));
		const nameEnd = entry + 46 + (name ?? 0);
		checksums.set(new TextDecoder().decode(archive.subarray(entry + 46, nameEnd)), view.getUint32(entry + 16, true));
		entry = nameEnd + (extra ?? 0) + (comment ?? 0);
	}
	return checksums;
}
