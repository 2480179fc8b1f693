import { statSync } from 'node:fs';
import { asCaller } from '../folder-owner.ts';

/** Whether others than the owner and the group can read a private key. */
export function isKeyExposed(path: string): boolean {
	return asCaller(() => (statSync(path).mode & 0o007) !== 0);
}
