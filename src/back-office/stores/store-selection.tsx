import { useQuery } from '@tanstack/react-query';
import { type BulkAction, BulkForm, ChosenItem } from '../employees/bulk-form.tsx';
import { SelectionBar } from '../employees/selection-bar.tsx';
import { required } from '../forms/form-drawer.tsx';
import { FormButton } from '../forms/opening.tsx';
import type { Selection } from '../page/listing.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import { numberOf } from '../page/texts.tsx';
import { areas, changeAreas } from './store-queries.ts';

const counted = (count: number) => `${numberOf(count)} 家门店`;

/** The choice of no area; ids begin with 1. */
const none = { id: 0, name: '不属于任何区域' };

function AreaSelect(props: object) {
	const { data = [], isPending } = useQuery(areas);
	return <ChoiceSelect labelInValue loading={isPending} options={[...data, none]} placeholder="选择区域" {...props} />;
}

const regrouping: BulkAction<number | null> = {
	verb: '调整区域',
	field: (
		<ChosenItem label="区域" rules={required('请选择区域')}>
			<AreaSelect />
		</ChosenItem>
	),
	changeOf: ([areaId]) => areaId || null,
	effect: (who, area) => `${who}将${area === none.name ? '移出区域' : `归入“${area}”`}`,
	already: '已是这样',
	done: (who) => `${who}的区域已调整`,
};

/** The actions for the selected stores. */
export function StoreBar({ keys, onChange }: Pick<Selection<never>, 'keys' | 'onChange'>) {
	if (keys.size === 0) return null;
	const clear = () => onChange(new Set());
	return (
		<SelectionBar label="已选门店" text={`已选 ${counted(keys.size)}`} onClear={clear}>
			<FormButton
				form={
					<BulkForm
						action={regrouping}
						ids={Array.from(keys, Number)}
						counted={counted}
						send={changeAreas}
						onDeselect={(refused) => onChange(keys.difference(new Set<number | string>(refused)))}
						onDone={clear}
					/>
				}
			>
				{regrouping.verb}
			</FormButton>
		</SelectionBar>
	);
}
