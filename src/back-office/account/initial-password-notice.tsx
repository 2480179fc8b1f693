import { useQuery } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { ownPassword } from './own.ts';

/** Asks for a new password while it is the one that the account began with. */
export function InitialPasswordNotice({ onChange }: { onChange(): void }) {
	const { data } = useQuery(ownPassword);
	if (!data?.isInitial) return null;
	return (
		<Alert
			banner
			type="warning"
			title="您的密码不是自己设置的，请尽快修改。"
			action={
				<Button size="small" onClick={onChange}>
					修改密码
				</Button>
			}
		/>
	);
}
