import type { Database } from 'bun:sqlite';
import { spellName } from '../vocabulary/pinyin.ts';

/** The number of names between two reports. */
const namesAtOnce = 10_000;

/** Saves the pinyin of all names, after a migration added its column. */
export function spellNames(client: Database, progress: (step: string) => void): void {
	const nextNames = client.prepare<{ id: number; name: string }, [number, number]>(
		'select id, name from employees where id > ? order by id limit ?',
	);
	const spell = client.prepare<null, [string, number]>('update employees set pinyin = ? where id = ?');
	let people = nextNames.all(0, namesAtOnce);
	while (people.length > 0) {
		for (const { id, name } of people) spell.run(spellName(name), id);
		const last = people.at(-1)?.id ?? 0;
		progress(`spelling names in pinyin: ${last}`);
		people = nextNames.all(last, namesAtOnce);
	}
}
