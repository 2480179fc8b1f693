import { App } from 'antd';
import { chainName } from '../api/chain.ts';
import { answer, api } from '../api/client.ts';
import { PlainDialog } from '../forms/plain-dialog.tsx';
import { PlainForm } from '../session/plain-form.tsx';

/** Names the chain. The new name is shown at once. */
export function ChainForm({ isFocused, onDone }: { isFocused: boolean; onDone?(): void }) {
	const { message } = App.useApp();
	async function save(body: Record<'name', string>) {
		chainName.set((await answer(api.chain.put(body))).name ?? undefined);
		void message.success('品牌名称已保存');
		onDone?.();
	}
	return (
		<PlainForm
			fields={[
				{
					name: 'name',
					label: '品牌名称',
					kind: 'organization',
					initial: chainName.get(),
					isFirst: isFocused,
					hint: '例如 好邻居便利',
				},
			]}
			send={save}
			verb="保存"
		/>
	);
}

/** The same, in front of a page. */
export function ChainDialog() {
	return <PlainDialog title="修改品牌名称">{(onDone) => <ChainForm isFocused onDone={onDone} />}</PlainDialog>;
}
