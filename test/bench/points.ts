/** What the chain's own permission points cost each request of somebody who holds them all. */
import { newEmployee, send } from './employee.ts';
import { load } from './load.ts';
import type { Contender, Part } from './measure.ts';

const path = '/api/roles/2';

/** The tokens of employees who may see roles, where the program knows them with 200 points of the chain. */
const tokens = new WeakMap<Contender, string>();

async function tokenOf(contender: Contender): Promise<string> {
	const known = tokens.get(contender);
	if (known) return known;
	const held = ['role:view'];
	for (let made = 0; made < 200; made += 1) {
		const asked = { code: `till:p${made}`, title: `权限${made}` };
		const point = await send(contender, 'POST', '/api/permissions/points', asked);
		if (point) held.push(point.code);
	}
	const { token } = await newEmployee(contender, held);
	tokens.set(contender, token);
	return token;
}

export const pointsPart: Part = {
	kinds: ['ordinary'],
	sizes: [1000],
	measures: () => [
		{
			what: 'one role, by who holds 200 points',
			rounds: 9,
			async run(contender) {
				const { rate } = await load(contender.program.url + path, { token: await tokenOf(contender), connections: 32 });
				return { '32 clients': 1000 / rate };
			},
			limits: { '32 clients': { timesOld: 1.05 } },
		},
	],
};
