import { useQuery } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { asRefusal } from '../api/refusal.ts';
import { assignableChoices } from './employee-queries.ts';

/** Says above a form that its stores and roles could not be loaded, and offers to try again. */
export function ChoicesAlert() {
	const { data, error, isFetching, refetch } = useQuery(assignableChoices);
	if (data || !error) return null;
	return (
		<Alert
			type="error"
			showIcon
			role="alert"
			className="refusal"
			title="门店和角色加载失败"
			description={asRefusal(error).message}
			action={
				<Button loading={isFetching} onClick={() => void refetch()}>
					重试
				</Button>
			}
		/>
	);
}
