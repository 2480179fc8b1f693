import { useMutation } from '@tanstack/react-query';
import { Form } from 'antd';
import { asRefusal } from '../api/refusal.ts';
import { FormDrawer } from '../forms/form-drawer.tsx';
import { people } from '../page/texts.tsx';
import { type ChangeProps, Preview } from './change-form.tsx';
import { issuePasswords } from './employee-queries.ts';
import { useShowSlips } from './slips.tsx';

/** Gives everybody who is selected a one-time password, and shows them once. */
export function ResetPasswords({ ids, onDeselect, onDone }: Omit<ChangeProps, 'action'>) {
	const [form] = Form.useForm<object>();
	const showSlips = useShowSlips();
	const { mutate, isPending, error, reset } = useMutation({
		mutationFn: () => issuePasswords(ids),
		onSuccess({ items }) {
			onDone({ text: `${people(items.length)}的密码已重置` });
			showSlips(items);
		},
	});
	return (
		<FormDrawer
			title={`重置密码：${people(ids.length)}`}
			submission={{ form, submit: () => mutate(), isPending, problem: undefined, isBlocked: error !== null }}
			submitText="重置密码"
			isDangerous
		>
			<Preview
				isPending={false}
				refusal={error ? asRefusal(error) : undefined}
				ids={ids}
				onDeselect={(refused) => {
					reset();
					onDeselect(refused);
				}}
			>
				将为 {people(ids.length)}各生成一个一次性密码，7 天内有效。原密码和他们在所有设备上的登录立即失效。
			</Preview>
		</FormDrawer>
	);
}
