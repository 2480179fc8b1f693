/** `bun run test [FILTER]`: runs the test files, four at once, slowest first, and reports what this machine cannot test. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLine } from './untested.ts';

const folder = mkdtempSync(join(tmpdir(), 'access-untested-'));
const notes = join(folder, 'notes');
writeFileSync(notes, '');
const options = ['--parallel=4', `--timings=${join(import.meta.dir, 'timings.json')}`, '--no-isolate'];
// The program reads imports at this priority, for at most ten seconds. Tests with a higher priority would slow it down.
setPriority(Math.max(10, getPriority()));
const { exitCode } = Bun.spawnSync([process.execPath, 'test', ...options, ...process.argv.slice(2)], {
	// Most code runs a few times only, so the last stage of optimizing costs more than it saves. Programs under test have it.
	env: { ...process.env, UNTESTED_FILE: notes, BUN_JSC_useFTLJIT: '0' },
	stdio: ['inherit', 'inherit', 'inherit'],
});
// Several processes may have noted the same.
const untested = new Set(readFileSync(notes, 'utf8').split('\n').filter(Boolean).sort());
rmSync(folder, { recursive: true });
if (untested.size > 0) console.error(lastLine([...untested]));
process.exit(exitCode);
