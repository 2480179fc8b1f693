/** The key that seals copies. Separate from sealing.ts, which takes 200 ms to load, so that the start can check the key. */
import { readFileSync } from 'node:fs';
import type { Config } from '../machine/config.ts';
import { shellWord, withExplanation } from '../machine/file-access.ts';
import { messageOf, OperationError } from '../vocabulary/errors.ts';

/** Reads the configured key. @throws OperationError when its file cannot be read, or holds no key */
export function readKey({ BACKUP_KEY_FILE: path }: Pick<Config, 'BACKUP_KEY_FILE'>): string | undefined {
	if (path === undefined) return undefined;
	const key = withExplanation(path, () => readFileSync(path, 'utf8'), 'BACKUP_KEY_FILE: ').trim();
	// U+FFFD stands for bytes that are not text.
	if (/^[^\p{C}\uFFFD]{32,}$/u.test(key)) return key;
	const remedy = `openssl rand -base64 32 > ${shellWord(path)}`;
	throw new OperationError(`BACKUP_KEY_FILE: ${path} must hold one line of text of 32 characters or more: ${remedy}`);
}

/** The problem of the configured key, if there is one. The server works without it, but copies nothing. */
export function findKeyProblem(config: Pick<Config, 'BACKUP_KEY_FILE'>): string | undefined {
	try {
		readKey(config);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}
