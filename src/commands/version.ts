import { Database } from 'bun:sqlite';
import { version as program } from '../../package.json';
import { schemaVersion } from '../database/open.ts';
import type { Terminal } from './terminal.ts';

/** `access version`: what runs, and which database it writes. */
export function version(terminal: Terminal, { json = false }: { json?: boolean }): number {
	const memory = new Database(':memory:');
	const sqlite = memory.query<{ version: string }, []>('select sqlite_version() as version').get()?.version;
	memory.close();
	const versions = { access: program, schema: schemaVersion(), bun: Bun.version, sqlite };
	const text = Object.entries(versions).map(([name, value]) => `${name} ${value}`);
	terminal.stdout.write(json ? `${JSON.stringify(versions)}\n` : `${text.join('\n')}\n`);
	return 0;
}
