import { useMutation } from '@tanstack/react-query';
import { App, Button, type ButtonProps } from 'antd';
import { asRefusal } from '../api/refusal.ts';
import { numberOf, people } from '../page/texts.tsx';
import { Reasons, refusedIn } from './change-refusals.tsx';
import { undoChanges } from './employee-queries.ts';

/** A change of many in the history, and their number. */
export interface Undoable {
	groupId: number;
	count: number;
}

/** Undoes what was done to many. Where somebody stands against it, it is offered for the others. */
export function UndoButton({
	groupId,
	count,
	onDone,
	size,
}: Undoable & Pick<ButtonProps, 'size'> & { onDone(text: string): void }) {
	const { modal } = App.useApp();
	const { mutateAsync, isPending } = useMutation({
		mutationFn: (others: boolean) => undoChanges(groupId, others),
		onSuccess: ({ changed }) => onDone(`已撤销，${people(changed)}恢复原样`),
		onError(error, others) {
			const refusal = asRefusal(error);
			const refused = refusedIn(refusal);
			const content = (
				<>
					{refusal.message}
					{refused.length > 0 && <Reasons of={refused} />}
				</>
			);
			const rest = others ? 0 : count - refused.length;
			if (refused.length === 0 || rest <= 0) return void modal.error({ title: '不能撤销', content, okText: '知道了' });
			void modal.confirm({
				title: '不能撤销全部更改',
				content,
				okText: `撤销其余 ${numberOf(rest)} 名`,
				cancelText: '不撤销',
				onOk: () => mutateAsync(true).catch(() => undefined),
			});
		},
	});
	return (
		<Button size={size} loading={isPending} onClick={() => void mutateAsync(false).catch(() => undefined)}>
			撤销
		</Button>
	);
}
