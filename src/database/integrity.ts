import type { Database } from 'bun:sqlite';

/** Up to so many rows a table is checked at once, in some 50 ms. */
const fewRows = 20_000;

/** How many rows of a larger table are checked at once. */
const slice = 2500;

/** Reads nothing for long enough that a server can commit and start its write-ahead log over. */
function rest(): void {
	Bun.sleepSync(20);
}

/**
 * The first problem with the rows, indexes and foreign keys of a database; undefined when it is sound. Every statement is
 * short and pauses follow, so that a server that writes meanwhile can start its write-ahead log over: SQLite's own check
 * of a large table would let the log grow by gigabytes.
 */
export function integrityProblem(client: Database, pause = rest): string | undefined {
	for (const table of tablesIn(client)) {
		const found = hasFewRows(client, table) ? problemAtOnce(client, table) : problemInSlices(client, table, pause);
		if (found !== undefined) return `${found} in ${table.name}`;
	}
	return undefined;
}

const damage = 'is damaged';
const orphans = 'has orphaned rows';

interface Table {
	name: string;
	/** The columns that identify a row. */
	key: string[];
	columns: string[];
	isVirtual: boolean;
}

function tablesIn(client: Database): Table[] {
	const tables = client
		.query<{ name: string; type: string; wr: number }, []>(
			"select name, type, wr from pragma_table_list where schema = 'main' and type <> 'view' and name <> 'sqlite_schema' order by name",
		)
		.all();
	return tables.map(({ name, type, wr }) => {
		const columns = client
			.query<{ name: string; pk: number }, [string]>('select name, pk from pragma_table_info(?)')
			.all(name);
		const primary = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
		return {
			name,
			key: wr === 1 ? primary.map((column) => quoted(column.name)) : ['rowid'],
			columns: columns.map((column) => quoted(column.name)),
			isVirtual: type === 'virtual',
		};
	});
}

function quoted(name: string): string {
	return `"${name.replaceAll('"', '""')}"`;
}

/** The rows of a virtual table are in others; that its index matches them is checked elsewhere. */
function hasFewRows(client: Database, { name, isVirtual }: Table): boolean {
	return isVirtual || client.query(`select 1 from ${quoted(name)} limit 1 offset ${fewRows}`).get() === null;
}

function problemAtOnce(client: Database, { name, isVirtual }: Table): string | undefined {
	if (isVirtual) return undefined;
	const checked = client.query<[string], [string]>('select * from pragma_integrity_check(?)').values(name);
	if (checked[0]?.[0] !== 'ok') return damage;
	const orphan = client.query<object, [string]>('select * from pragma_foreign_key_check(?)').get(name);
	return orphan === null ? undefined : orphans;
}

/**
 * Reads every row, looks up every row in every index and the row that each foreign key refers to, and compares the number
 * of entries in each index with that of rows.
 */
function problemInSlices(client: Database, table: Table, pause: () => void): string | undefined {
	const indexes = indexesOf(client, table);
	const references = orphansOf(client, table);
	const read = table.columns.map((column) => `total(length(${column}))`);
	const counts = indexes.map(({ condition }) => `count(*) filter (where ${condition})`);
	const rows = `select ${[...counts, ...read].join()} from ${quoted(table.name)} not indexed where true`;
	const query = (text: string, { condition, values }: KeyRange) =>
		client.query(`${text} and ${condition}`).values(...values);
	const totals = indexes.map(() => 0);
	for (const range of rangesOf(client, table)) {
		const [found = []] = query(rows, range);
		for (const index of totals.keys()) totals[index] = (totals[index] ?? 0) + Number(found[index]);
		if (indexes.some(({ missingRow }) => query(missingRow, range).length > 0)) return damage;
		if (references.some((orphan) => query(orphan, range).length > 0)) return orphans;
		pause();
	}
	// Rows that changed meanwhile make these counts differ too: only then both are counted at one moment, however long.
	const differs = indexes.some(({ entries, countDiffers }, index) => {
		const [[count] = []] = client.query<[number], []>(entries).values();
		return count !== totals[index] && client.query(countDiffers).get() !== null;
	});
	return differs ? damage : undefined;
}

type Value = string | number;

/** The condition of some rows, and the values of its placeholders. */
interface KeyRange {
	condition: string;
	values: Value[];
}

/** Consecutive ranges of keys that together hold every row that there is at the beginning. */
function* rangesOf(client: Database, { name, key }: Table): Generator<KeyRange> {
	const [columns, marks] = [key.join(), key.map(() => '?').join()];
	const above = `(${columns}) > (${marks})`;
	let after: Value[] | undefined;
	while (true) {
		const last = client
			.query<Value[], Value[]>(
				`select ${columns} from ${quoted(name)} ${after ? `where ${above}` : ''} order by ${columns} limit 1 offset ${slice}`,
			)
			.values(...(after ?? []))[0] as Value[] | undefined;
		const conditions = [...(after ? [above] : []), ...(last ? [`(${columns}) <= (${marks})`] : [])];
		yield { condition: conditions.join(' and ') || 'true', values: [...(after ?? []), ...(last ?? [])] };
		if (!last) return;
		after = last;
	}
}

/** What is checked of an index. */
interface IndexCheck {
	/** The rows that it holds. */
	condition: string;
	/** Finds a row that it lacks. */
	missingRow: string;
	/** Counts its entries. */
	entries: string;
	/** Finds out whether it has another number of entries than there are rows. */
	countDiffers: string;
}

function indexesOf(client: Database, { name, key }: Table): IndexCheck[] {
	const table = quoted(name);
	const indexes = client
		.query<{ name: string; sql: string }, [string]>(
			"select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
		)
		.all(name);
	return indexes.map(({ name: index, sql }) => {
		const columns = client
			.query<{ name: string }, [string]>('select name from pragma_index_info(?) where name is not null')
			.all(index)
			.map((column) => quoted(column.name));
		const condition = / where (.*)$/is.exec(sql)?.[1] ?? 'true';
		const same = [
			...columns.map((column) => `found.${column} is ${table}.${column}`),
			...key.map((column) => `found.${column} = ${table}.${column}`),
		].join(' and ');
		// Of the entries themselves the condition must hold too, or SQLite cannot use a partial index.
		const conditionOfEntry = condition.replaceAll(`${table}.`, 'found.');
		const entry = `select 1 from ${table} as found indexed by ${quoted(index)} where ${same} and (${conditionOfEntry})`;
		const entries = `select count(*) from ${table} indexed by ${quoted(index)} where ${condition}`;
		return {
			condition,
			missingRow: `select 1 from ${table} not indexed where (${condition}) and not exists (${entry})`,
			entries,
			countDiffers: `select 1 where (${entries}) <> (select count(*) from ${table} not indexed where ${condition})`,
		};
	});
}

/** A statement for each foreign key that finds rows which refer to none. */
function orphansOf(client: Database, { name }: Table): string[] {
	const table = quoted(name);
	return client
		.query<{ parent: string; child: string; key: string }, [string]>(
			`select "table" as parent, "from" as child, coalesce("to", 'rowid') as key from pragma_foreign_key_list(?)`,
		)
		.all(name)
		.map(({ parent, child, key }) => {
			const value = `${table}.${quoted(child)}`;
			const referred = `select 1 from ${quoted(parent)} as parent where parent.${quoted(key)} = ${value}`;
			return `select 1 from ${table} not indexed where ${value} is not null and not exists (${referred})`;
		});
}
