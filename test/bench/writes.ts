/** Changes of one employee after the other, hires, and a start. */
import { Program } from '../program.ts';
import { environmentOf } from './databases.ts';
import { jsonScript, load } from './load.ts';
import type { Contender, Measure, Part } from './measure.ts';

/** Each changes something every time: there are an odd number of employees, so each gets another status. */
const changes: readonly { what: string; path?: string; body: string }[] = [
	{ what: 'rename', body: `string.format('{"name":"王%d芳"}', count)` },
	{ what: 'change of a remark', body: `string.format('{"remark":"备注%d"}', count)` },
	{
		what: 'change of a status',
		path: '/status',
		body: `count % 2 == 0 and '{"status":"INACTIVE"}' or '{"status":"ACTIVE"}'`,
	},
];

const hire = `string.format('{"storeId":1,"name":"王小芳","phone":"144%08d","roleIds":[3]}', count)`;

export const writesPart: Part = {
	kinds: ['ordinary'],
	sizes: [100_000],
	measures: () => [
		...changes.map(
			({ what, path = '', body }): Measure => ({
				what,
				rounds: 7,
				run: async (contender) => {
					const ids = `({ ${contender.ids.slice(1).join(', ')} })[count % ${contender.ids.length - 1} + 1]`;
					return { '': await perRequest(contender, 1, 'PATCH', `"/api/employees/" .. ${ids} .. "${path}"`, body) };
				},
			}),
		),
		...[1, 16].map(
			(connections): Measure => ({
				what: `hire, ${connections} at once`,
				rounds: 7,
				run: async (contender) => ({ '': await perRequest(contender, connections, 'POST', '"/api/employees"', hire) }),
			}),
		),
	],
};

/** Milliseconds from one answer to the next. */
async function perRequest(contender: Contender, connections: number, method: string, path: string, body: string) {
	const { program, token, next } = contender;
	const script = jsonScript(method, path, body, next() * 1_000_000);
	return 1000 / (await load(program.url, { token, connections, script })).rate;
}

export const startPart: Part = {
	kinds: ['ordinary'],
	sizes: [1_000_000],
	measures: () => [{ what: 'ready after a start', rounds: 5, run: restart }],
};

/** From the start of the process to its first answer. */
async function restart(contender: Contender): Promise<Record<string, number>> {
	await contender.program.end();
	const begun = performance.now();
	const environment = environmentOf(contender.data);
	contender.program = await Program.start({ command: [contender.command], environment, keepsOutput: false });
	await contender.program.send('GET', '/health');
	return { '': performance.now() - begun };
}
