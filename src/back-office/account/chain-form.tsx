import { useMutation } from '@tanstack/react-query';
import { App, Button, Form, Input } from 'antd';
import { maxChainName } from '../../platform/vocabulary/limits.ts';
import { chainName, nameChain } from '../api/chain.ts';
import { asRefusal } from '../api/refusal.ts';

interface Props {
	isFocused: boolean;
	onDone?(): void;
}

/** Names the chain. The new name is shown at once. */
export function ChainForm({ isFocused, onDone }: Props) {
	const { message } = App.useApp();
	const { mutate, isPending, error } = useMutation({
		mutationFn: ({ name }: { name: string }) => nameChain(name),
		onSuccess() {
			void message.success('品牌名称已保存');
			onDone?.();
		},
	});
	return (
		<Form
			name="chain"
			className="chain-form"
			layout="vertical"
			initialValues={{ name: chainName.get() }}
			onFinish={mutate}
		>
			<Form.Item
				name="name"
				label="品牌名称"
				rules={[{ required: true, whitespace: true, message: '请输入品牌名称' }]}
				{...(error && { validateStatus: 'error', help: asRefusal(error).message })}
			>
				<Input autoFocus={isFocused} maxLength={maxChainName} placeholder="顾客看到的店名，如 好邻居便利" />
			</Form.Item>
			<Button htmlType="submit" type="primary" loading={isPending}>
				保存
			</Button>
		</Form>
	);
}
