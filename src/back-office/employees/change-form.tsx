import { useOwn } from '../account/own.ts';
import { people } from '../page/texts.tsx';
import { BulkForm, type BulkProps } from './bulk-form.tsx';
import type { PeopleChange } from './change-actions.tsx';
import { changeEmployees, issuePasswords } from './employee-queries.ts';
import { useShowSlips } from './slips.tsx';

interface Props extends Omit<BulkProps<PeopleChange>, 'send' | 'warning' | 'counted'> {
	/** The name of the only employee. */
	name?: string;
}

/** Does something with employees, once it has said what will happen. */
export function ChangeForm({ name, ...props }: Props) {
	const { user } = useOwn();
	const showSlips = useShowSlips();
	async function send(ids: readonly number[], change: PeopleChange, dryRun: boolean) {
		if (change !== 'passwords') return changeEmployees(ids, change, dryRun);
		if (!dryRun) showSlips((await issuePasswords(ids)).items);
		return { changed: ids.length, unchanged: 0 };
	}
	const isOwn = user.accountType === 'EMPLOYEE' && props.ids.includes(user.id);
	const warning = props.action.isRisky && isOwn ? (name ? '这是您自己' : '选中的员工包括您自己') : undefined;
	const counted = name === undefined ? people : () => `“${name}”`;
	return <BulkForm {...props} counted={counted} send={send} warning={warning} />;
}
