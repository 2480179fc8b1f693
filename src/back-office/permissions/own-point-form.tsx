import { useQuery } from '@tanstack/react-query';
import { AutoComplete, Form, Input } from 'antd';
import type { CreatePoint, Point } from '../../features/permissions/model.ts';
import type { Versioned } from '../api/client.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { More } from '../page/facts.tsx';
import { chainPoints, onePoint, proposeCode, suggestedPoints } from './own-point-queries.ts';

const labels = { title: '名称', groupTitle: '分组', description: '说明', code: '编码' };

/** Creates a permission point of the chain, or edits one. The code cannot change. */
export function OwnPointForm({ point }: { point?: Versioned<Point> }) {
	const { data = [] } = useQuery(chainPoints);
	const draft = { groupTitle: data[0]?.groupTitle ?? '收银' };
	const editing = useEditing<Point, CreatePoint>({
		thing: point,
		draft,
		valuesOf: ({ code, title, description, groupTitle }) => ({ code, title, description, groupTitle }),
		...onePoint,
		create: async (values) => onePoint.create({ ...values, code: values.code || (await proposeCode(values, data)) }),
		labels,
		said: { created: '权限已新增，请在角色中分配', saved: '权限已保存' },
	});
	const { form } = editing.submission;
	const suggested = suggestedPoints.filter(({ title }) => data.every((own) => own.title !== title));
	/** Fills in the group of a suggested name. In another one, 查看操作记录 would get another code, and show no history. */
	function fillInGroup(name: string) {
		const { groupTitle: value } = suggested.find(({ title }) => title === name.trim()) ?? draft;
		form.setFields([{ name: 'groupTitle', value, errors: [] }]);
	}
	/** Most screens show only the name of a permission. A second 查看操作记录 would show no history. */
	async function refuseTaken(_: unknown, name = '') {
		const taken = data.some(({ title }) => title === name.trim() && title !== point?.title);
		if (taken) throw new Error('已有同名的权限，请换一个名称');
	}
	return (
		<FormDrawer title={point ? `编辑权限：${point.title}` : '新增权限'} {...editing}>
			<Form.Item
				name="title"
				label={labels.title}
				rules={[...typed, { validator: refuseTaken }]}
				extra={!point && '可以选择一项常用权限'}
			>
				<AutoComplete
					placeholder="例如 退款"
					options={point ? [] : optionsOf(suggested.map(({ title }) => title))}
					showSearch={{ filterOption: (text, option) => option?.value.includes(text) === true }}
					onSelect={fillInGroup}
					onChange={(typed) => point || form.isFieldTouched('groupTitle') || fillInGroup(typed)}
				/>
			</Form.Item>
			<Form.Item name="groupTitle" label={labels.groupTitle} rules={typed}>
				<AutoComplete
					placeholder="例如 收银"
					options={optionsOf([...data, ...suggestedPoints].map(({ groupTitle }) => groupTitle))}
					showSearch={{ filterOption: false }}
				/>
			</Form.Item>
			<Form.Item name="description" label={labels.description}>
				<Input.TextArea rows={2} placeholder="选填" />
			</Form.Item>
			{!point && (
				<More isOpen={form.getFieldError('code').length > 0}>
					<Form.Item
						name="code"
						label={labels.code}
						extra="收银台等系统按编码识别权限，例如 till:refund。不填则自动生成，新增后不能修改"
					>
						<Input autoCapitalize="none" spellCheck={false} placeholder="选填" />
					</Form.Item>
				</More>
			)}
		</FormDrawer>
	);
}

/** The options of a field that also takes other text. */
const optionsOf = (texts: readonly string[]) => Array.from(new Set(texts), (value) => ({ value }));
