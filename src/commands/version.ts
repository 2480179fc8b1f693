import { Database } from 'bun:sqlite';
import { version as program } from '../../package.json';
import { schemaVersion } from '../database/schema-version.ts';
import type { ProcessContext } from './process.ts';

/** `access version`: the versions of the program, of the schema that it writes, of Bun and of SQLite. */
export async function version(context: ProcessContext, { json = false }: { json?: boolean }): Promise<number> {
	const memory = new Database(':memory:');
	const sqlite = memory.query<{ version: string }, []>('select sqlite_version() as version').get()?.version;
	memory.close();
	const versions = { access: program, schema: schemaVersion(), bun: Bun.version, sqlite };
	const text = Object.entries(versions).map(([name, value]) => `${name} ${value}`);
	await context.write(json ? `${JSON.stringify(versions)}\n` : `${text.join('\n')}\n`);
	return 0;
}
