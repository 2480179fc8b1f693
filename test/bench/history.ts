/** Reads of a long history. Each request asks for another page or name. */
import { load } from './load.ts';
import { keyword, oneEmployee, type Part } from './measure.ts';

/** Lists of the history. Each request replaces `$` with another number, up to `numbers` or a `share` of the records. */
const lists: readonly { what: string; query: string; numbers?: number; share?: number }[] = [
	{ what: 'everything, any page', query: 'page=$', share: 1 / 20 },
	{ what: 'one action, any page', query: 'action=EMPLOYEE_UPDATE&page=$', share: 1 / 60 },
	{ what: 'one line for each request', query: 'grouped=true' },
	{ what: 'one action, first page', query: 'action=EMPLOYEE_UPDATE' },
	{ what: 'who moved', query: 'movement=moved' },
	{ what: 'one actor', query: 'actorType=EMPLOYEE&actorId=$', numbers: 100_000 },
	{ what: 'the administrator, any page', query: 'actorType=SUPER_ADMIN&actorId=1&page=$', share: 1 / 220 },
	{ what: 'one action and kind of actor', query: 'action=EMPLOYEE_UPDATE&actorType=SUPER_ADMIN' },
	{
		what: 'the administrator and an action that never was',
		query: 'actorType=SUPER_ADMIN&actorId=1&action=ROLE_UPDATE',
	},
	{ what: 'two frequent filters without a match', query: 'action=SIGN_IN&targetType=EMPLOYEE' },
	{ what: 'one target and action', query: 'targetType=EMPLOYEE&targetId=$&action=EMPLOYEE_UPDATE', numbers: 100_000 },
	{ what: 'a day, any page', query: 'from=2026-06-20&to=2026-06-21&page=$', numbers: 1440 },
	{ what: 'actor, action and ten days', query: 'actorId=1&action=SIGN_IN&from=2026-06-20&page=$', numbers: 500 },
	{ what: 'keyword 王芳', query: keyword('王芳') },
	{ what: 'keyword 王, any page', query: `${keyword('王')}&page=$`, share: 1 / 300 },
	{ what: 'keyword 王, ten days', query: `${keyword('王')}&from=2026-06-20` },
	{ what: 'keyword 王, one action, any page', query: `${keyword('王')}&action=EMPLOYEE_UPDATE&page=$`, share: 1 / 700 },
	{ what: 'keyword 王, one employee', query: `${keyword('王')}&actorType=EMPLOYEE&actorId=$`, numbers: 100_000 },
	{ what: 'keyword admin, any page', query: `${keyword('admin')}&page=$`, share: 1 / 220 },
	{ what: 'keyword without a match', query: keyword('龘龘') },
];

export const historyPart: Part = {
	kinds: ['history'],
	sizes: [1_000_000],
	measures: (records) =>
		lists.map(({ what, query, numbers = 1, share }) => ({
			what,
			async run({ program, token }) {
				const script = `function request()
	return wrk.format("GET", (string.gsub("/api/history?${query}", "%$", math.random(${share ? Math.ceil(records * share) : numbers}))))
end`;
				const alone = await load(program.url, { token, script });
				const besides = load(program.url, { token, script, connections: 4 });
				const [others] = await Promise.all([load(program.url + oneEmployee, { token }), besides]);
				return { 'one client': 1000 / alone.rate, p99: alone.p99, 'longest wait of others': others.longest };
			},
		})),
};
