import { useQuery } from '@tanstack/react-query';
import { Drawer, Form, Input } from 'antd';
import type { Area, WriteArea } from '../../features/areas/model.ts';
import type { Versioned } from '../api/client.ts';
import { RowActions } from '../forms/actions.tsx';
import { useDiscard } from '../forms/discard.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { AddButton } from '../forms/opening.tsx';
import { Loaded } from '../page/loaded.tsx';
import { useSheet } from '../page/screen.ts';
import { numberOf } from '../page/texts.tsx';
import { areas, oneArea } from './store-queries.ts';

/** The areas of the chain, which can be added, renamed and deleted. */
export function AreasDrawer() {
	const close = useDiscard();
	return (
		<Drawer open title="区域" onClose={close} {...useSheet(480)}>
			<p>编辑门店时可以选择它的区域。让员工负责一个区域，该员工就负责其中的所有门店。</p>
			<Loaded query={useQuery(areas)}>
				{(all) => (
					<ul className="holders">
						{all.map((area) => (
							<li key={area.id}>
								<span>
									{area.name} <small>{numberOf(area.stores)} 家门店</small>
								</span>
								<RowActions
									noun="区域"
									row={area}
									nameOf={({ name }) => name}
									query={oneArea.byId(`${area.id}`)}
									actions={{ 改名: (area) => <AreaForm area={area} /> }}
									remove={oneArea.remove}
									effectOf={lossOf}
								/>
							</li>
						))}
						{all.length === 0 && <li className="absent">还没有区域</li>}
					</ul>
				)}
			</Loaded>
			<AddButton form={<AreaForm />}>新增区域</AddButton>
		</Drawer>
	);
}

const lossOf = ({ stores }: Area) =>
	`其中 ${numberOf(stores)} 家门店将不属于任何区域，负责该区域的员工将不再负责这些门店。删除后不能恢复。`;

/** Creates or renames an area. */
function AreaForm({ area }: { area?: Versioned<Area> }) {
	const editing = useEditing<Area, WriteArea>({
		thing: area,
		valuesOf: ({ name }) => ({ name }),
		...oneArea,
		change: (area, { name = area.name }) => oneArea.change(area, { name }),
		labels: { name: '区域名称' },
		said: { created: '区域已新增', saved: '区域已改名' },
	});
	return (
		<FormDrawer isSmall title={area ? '区域改名' : '新增区域'} {...editing}>
			<Form.Item name="name" label="区域名称" rules={typed}>
				<Input />
			</Form.Item>
		</FormDrawer>
	);
}
