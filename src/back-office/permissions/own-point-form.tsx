import { useQuery } from '@tanstack/react-query';
import { AutoComplete, Form, Input } from 'antd';
import type { CreatePoint, Point } from '../../features/permissions/model.ts';
import { groupOf } from '../../platform/vocabulary/permissions.ts';
import type { Versioned } from '../api/client.ts';
import { useEditing } from '../forms/editing.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { onePoint, ownPoints, suggestedPoints } from './own-point-queries.ts';

const labels = { title: '名称', code: '编码', description: '说明', groupTitle: '分组名称' };

/** Creates a permission point of the chain, or edits one; its code stays. */
export function OwnPointForm({ point }: { point?: Versioned<Point> }) {
	const editing = useEditing<Point, CreatePoint>({
		thing: point,
		keep: [],
		draft: {},
		valuesOf: ({ code, title, description, groupTitle }) => ({ code, title, description, groupTitle }),
		...onePoint,
		labels,
		said: { created: '权限已新增，请在角色中分配', saved: '权限已保存' },
	});
	const { data = [] } = useQuery(ownPoints);
	const suggested = suggestedPoints.filter(({ code }) => data.every((own) => own.code !== code));
	/** Fills in one of the suggested points; a group that is there keeps its title. */
	function fillIn(title: string) {
		const chosen = suggested.find((each) => each.title === title);
		const known = data.find(({ code }) => chosen && groupOf(code) === groupOf(chosen.code));
		if (chosen) editing.submission.form.setFieldsValue({ ...chosen, ...(known && { groupTitle: known.groupTitle }) });
	}
	return (
		<FormDrawer title={point ? `编辑权限：${point.title}` : '新增权限'} {...editing}>
			<Form.Item name="title" label={labels.title} rules={typed('请输入名称')} extra={!point && '可以选择一项常用权限'}>
				<AutoComplete
					placeholder="例如 退款"
					options={point ? [] : suggested.map(({ title }) => ({ value: title }))}
					showSearch={{ filterOption: (text, option) => option?.value.includes(text) === true }}
					onSelect={fillIn}
				/>
			</Form.Item>
			{point ? (
				<Form.Item label={labels.code} extra="收银台等系统按编码识别权限，不能修改">
					<code>{point.code}</code>
				</Form.Item>
			) : (
				<Form.Item
					name="code"
					label={labels.code}
					extra="由“分组:动作”组成，例如 till:refund。小写字母开头，可用小写字母、数字和下划线，3 至 60 个字符，新增后不能修改"
					rules={typed('请输入编码')}
				>
					<Input autoCapitalize="none" spellCheck={false} placeholder="例如 till:refund" />
				</Form.Item>
			)}
			<Form.Item name="description" label={labels.description}>
				<Input.TextArea rows={2} placeholder="选填" />
			</Form.Item>
			<Form.Item name="groupTitle" label={labels.groupTitle} extra="编码中第一个冒号前相同的权限为一组，共用这个名称">
				<Input placeholder="选填，例如 收银" />
			</Form.Item>
		</FormDrawer>
	);
}
