import { Database } from 'bun:sqlite';
import { version as program } from '../../package.json';
import { schemaVersion } from '../database/schema-version.ts';
import { answer, type Form, type ProcessContext } from './process.ts';

/** `access version`: the versions of the program, of the schema that it writes, of Bun and of SQLite. */
export function version(context: ProcessContext, form: Form): Promise<number> {
	using memory = new Database(':memory:');
	const sqlite = memory.query<{ version: string }, []>('select sqlite_version() as version').get()?.version;
	const versions = { access: program, schema: schemaVersion(), bun: Bun.version, sqlite };
	const text = Object.entries(versions).map(([name, value]) => `${name} ${value}`);
	return answer(context, form, versions, text.join('\n'));
}
