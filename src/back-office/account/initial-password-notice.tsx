import { useQuery } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { ownPassword } from './own.ts';

/** Asks for a new password while the initial one is in use. */
export function InitialPasswordNotice({ onChange }: { onChange(): void }) {
	const { data } = useQuery(ownPassword);
	if (!data?.isInitial) return null;
	return (
		<Alert
			banner
			type="warning"
			title="您仍在使用初始密码，请尽快修改。"
			action={
				<Button size="small" onClick={onChange}>
					修改密码
				</Button>
			}
		/>
	);
}
