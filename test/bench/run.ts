/**
 * `bun run bench [PART] [--size N] [--against PROGRAM]`: loads the compiled program over loopback and prints one table for
 * each part and size. With `--against` another compiled program is measured in turn, and figures are held to their limits.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/vocabulary/errors.ts';
import { compiled, removeFolders } from '../program.ts';
import { chainPart } from './chain.ts';
import { cache } from './databases.ts';
import { historyPart } from './history.ts';
import { measure, type Part } from './measure.ts';
import { pointsPart } from './points.ts';
import { reachPart } from './reach.ts';
import { readsPart, startPart } from './reads.ts';
import { worstPart } from './worst.ts';

const parts = {
	'--reads': readsPart,
	'--points': pointsPart,
	'--reach': reachPart,
	'--worst': worstPart,
	'--chain': chainPart,
	'--history': historyPart,
	'--start': startPart,
} as const satisfies Record<string, Part>;
type PartName = keyof typeof parts;

/** Those with limits: what a comparison measures unless it is given a part. */
const compared: readonly PartName[] = ['--reads', '--worst', '--start'];

/** The program to compare with, and what to run. @throws Error when the words ask for nothing that can be measured. */
function planOf(words: string[]) {
	const names = Object.keys(parts) as PartName[];
	const rest = words.filter((word) => !names.some((name) => name === word));
	const options = { against: { type: 'string' }, size: { type: 'string' } } as const;
	const { against, size } = parseArgs({ args: rest, options }).values;
	const [named, another] = names.filter((name) => words.includes(name));
	if (another) throw new Error('give one part');
	if (against !== undefined && !existsSync(against)) throw new Error(`there is no program ${against}`);
	if (size !== undefined && !/^[1-9]\d{2,7}$/.test(size)) throw new Error('a size is a number from 100 to 99999999');
	const chosen = named ? [named] : against === undefined ? names : compared;
	// A part that is named has any size that is given, else only its own ones.
	const runs = chosen.flatMap((name) => {
		const sizes = named && size ? [Number(size)] : parts[name].sizes;
		return sizes.filter((each) => [undefined, String(each)].includes(size)).map((each) => [parts[name], each] as const);
	});
	if (runs.length === 0) throw new Error(`no part has the size ${size}: name one of ${names.join(', ')}`);
	return { against, runs };
}

function planOrExit(words: string[]) {
	const choices = `one of ${Object.keys(parts).join(', ')}, --size N, --against PROGRAM`;
	if (words.includes('--help')) {
		console.log(`bun run bench takes nothing, or ${choices}: see test/bench/README.md`);
		process.exit(0);
	}
	try {
		return planOf(words);
	} catch (error) {
		const reason = messageOf(error).split('\n')[0];
		console.error(`cannot read ${words.join(' ')}: ${reason} (${choices})`);
		process.exit(2);
	}
}

const { against, runs } = planOrExit(process.argv.slice(2));
mkdirSync(cache, { recursive: true });
const [own = ''] = compiled();
const programs = [...(against === undefined ? [] : [['old', resolve(against)] as const]), ['new', own] as const];
const tables = [`${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`];
try {
	for (const [part, size] of runs) tables.push(await measure(part, size, programs));
} finally {
	await removeFolders();
}
writeFileSync(join(cache, 'results.md'), `${tables.join('\n\n')}\n`);
console.log(tables.join('\n\n'));
