import type { PermissionDefinition } from '../../features/permissions/model.ts';
import { historyCode, isProgramGroup } from '../../platform/vocabulary/permissions.ts';
import { api } from '../api/client.ts';
import { queryOf } from '../api/things.ts';

/** The account's permissions, with their texts. */
export const ownDefinitions = queryOf(['own', 'definitions'], () => api.permissions.me.definitions.get());

export type Definitions = readonly (typeof PermissionDefinition.static)[];

/** Whether a point is the chain's own and for its tills. The one for the history opens the back office. */
export const isOfChain = ({ code, groupKey }: Definitions[number]) => !isProgramGroup(groupKey) && code !== historyCode;

/** An account's permissions in sentences. */
export function Abilities({ held, isEmployee }: { held: Definitions; isEmployee: boolean }) {
	if (!isEmployee) return <p>可以登录后台，使用全部功能。</p>;
	const { program = [], own = [] } = Object.groupBy(held, (point) => (isOfChain(point) ? 'own' : 'program'));
	return (
		<>
			<p>您的账号正常，可以登录员工端（收银台等系统）{program.length === 0 ? '。' : '，也可以登录后台。'}</p>
			{program.length > 0 && <p>在后台可以：{titles(program)}。</p>}
			{own.length > 0 && <p>在员工端可以：{titles(own)}。</p>}
		</>
	);
}

const titles = (points: Definitions) => points.map(({ title }) => title).join('、');
