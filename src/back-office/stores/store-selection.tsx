import { CloseOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Form } from 'antd';
import { asRefusal } from '../api/refusal.ts';
import { Preview } from '../employees/change-form.tsx';
import { FormDrawer, required } from '../forms/form-drawer.tsx';
import { FormButton } from '../forms/opening.tsx';
import { useSubmit } from '../forms/submit.ts';
import type { Selection } from '../page/listing.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { numberOf } from '../page/texts.tsx';
import { areas, changeAreas } from './store-queries.ts';

type Selected = Pick<Selection<never>, 'keys' | 'onChange'>;

/** The actions for the selected stores. */
export function StoreSelectionBar({ keys, onChange }: Selected) {
	if (keys.size === 0) return null;
	return (
		<section className="selection-bar" aria-label="已选门店">
			<span role="status">已选 {numberOf(keys.size)} 家门店</span>
			<FormButton form={<AreaChangeForm keys={keys} onChange={onChange} />}>调整区域</FormButton>
			<Button
				type="text"
				icon={<CloseOutlined aria-hidden />}
				aria-label="取消选择"
				onClick={() => onChange(new Set())}
			/>
		</section>
	);
}

/** The choice of no area; ids begin with 1. */
const none = { id: 0, name: '不属于任何区域' };

/** Puts stores into an area, or out of theirs, once it has said what will happen. */
function AreaChangeForm({ keys, onChange }: Selected) {
	const ids = Array.from(keys, Number);
	const { data = [], isPending } = useQuery(areas);
	const submission = useSubmit(
		({ areaId }: { areaId: number }) => changeAreas(ids, areaId || null, false),
		({ changed }) => `${numberOf(changed)} 家门店的区域已调整`,
		() => onChange(new Set()),
	);
	const areaId = Form.useWatch('areaId', submission.form);
	const area = data.find(({ id }) => id === areaId);
	const preview = useQuery({
		queryKey: ['stores', 'changes', ids, areaId],
		queryFn: () => changeAreas(ids, areaId || null, true),
		enabled: areaId !== undefined,
		staleTime: 0,
		gcTime: 0,
	});
	const { changed = 0, unchanged = 0 } = preview.data ?? {};
	const others = unchanged > 0 ? `${changed > 0 ? '；另外' : ''} ${numberOf(unchanged)} 家已是这样，保持不变` : '';
	return (
		<FormDrawer
			isSmall
			title={`调整区域：${numberOf(ids.length)} 家门店`}
			submission={{ ...submission, isBlocked: preview.isFetching || changed === 0 }}
		>
			<Form.Item name="areaId" label="区域" rules={required('请选择区域')}>
				<ChoiceSelect loading={isPending} options={[...data, none]} placeholder="选择区域" />
			</Form.Item>
			{areaId !== undefined && (
				<Preview
					isPending={preview.isFetching}
					refusal={preview.error ? asRefusal(preview.error) : undefined}
					ids={ids}
					onDeselect={(refused) => onChange(keys.difference(new Set<number | string>(refused)))}
				>
					{changed > 0 && `${numberOf(changed)} 家门店将${area ? `归入“${area.name}”` : '移出区域'}`}
					{others}。
				</Preview>
			)}
		</FormDrawer>
	);
}
