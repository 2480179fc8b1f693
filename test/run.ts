/** `bun run test [FILTER]`: runs the test files, four at once. */
import { hanging } from './hanging.ts';

const options = ['--parallel=4', '--no-isolate', `--timeout=${hanging}`];
const { exitCode } = Bun.spawnSync([process.execPath, 'test', ...options, ...process.argv.slice(2)], {
	stdio: ['inherit', 'inherit', 'inherit'],
});
process.exit(exitCode);
