import { PlusOutlined } from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { useState } from 'react';
import type { Point } from '../../permissions/model.ts';
import { rolesTitle, useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { useDanger } from '../forms/danger.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { Opening } from '../forms/opening.tsx';
import { FirstOne } from '../page/filters.tsx';
import { type Column, Listing } from '../page/listing.tsx';
import { PageHead } from '../page/page-head.tsx';
import { numberOf, Optional, people } from '../page/texts.tsx';
import { OwnPointForm } from './own-point-form.tsx';
import { deletePoint, ownPoints, pointById } from './own-point-queries.ts';

/** The permission points that the chain made for its tills and other programs. */
export function OwnPointPage() {
	const own = useOwn();
	const query = useQuery(ownPoints);
	const manages = own.can('permission:manage');
	const columns: Column<Point>[] = [
		{ title: '名称', render: ({ title }) => title, width: 160 },
		{ title: '编码', render: ({ code }) => <code>{code}</code>, width: 220 },
		{ title: '分组', render: ({ groupTitle }) => groupTitle, width: 120 },
		{ title: '说明', render: ({ description }) => <Optional text={description} />, isForWide: true },
		{ title: '持有', render: (point) => (point.roles === 0 ? '没有角色' : holdersOf(point)), width: 200 },
		...(manages ? [{ title: '操作', render: (point: Point) => <Actions point={point} />, width: 140 }] : []),
	];
	return (
		<>
			<PageHead back={{ href: '/roles', title: rolesTitle(own) ?? '' }} title="自定义权限">
				{manages && (
					<FormButton opensFor="new-point" type="primary" icon={<PlusOutlined aria-hidden />} form={<OwnPointForm />}>
						新增权限
					</FormButton>
				)}
			</PageHead>
			<p className="absent">供收银台等系统使用，例如退款、打折。在角色中分配；员工登录收银台时，收银台会得到其权限。</p>
			<Listing
				label="自定义权限"
				query={query}
				columns={columns}
				rowKey={({ id }) => id}
				empty="还没有自定义权限"
				next={manages && <FirstOne opens="new-point">新增第一个权限</FirstOne>}
			/>
		</>
	);
}

/** Who holds a point: `3 个角色、41 名员工`. */
function holdersOf({ roles, employees }: Point): string {
	return `${numberOf(roles)} 个角色、${people(employees)}`;
}

/** Edits and deletes a point as it is now: with its version, and who holds it by now. */
function Actions({ point: { id, title } }: { point: Point }) {
	const client = useQueryClient();
	const { message } = App.useApp();
	const ask = useDanger();
	const [present, setPresent] = useState<Versioned<Point>>();
	const [isOpen, setOpen] = useState(false);

	async function begin(act: (present: Versioned<Point>) => void) {
		try {
			act(await client.fetchQuery({ ...pointById(`${id}`), staleTime: 0 }));
		} catch (error) {
			void message.error(asRefusal(error).message);
		}
	}

	function edit(point: Versioned<Point>) {
		setPresent(point);
		setOpen(true);
	}

	function remove(point: Versioned<Point>) {
		const from = point.roles === 0 ? '没有角色持有该权限。' : `从 ${holdersOf(point)}收回，立即生效。`;
		ask({
			title: `删除权限“${point.title}”？`,
			effect: `${from}删除后不能恢复，编码可以重新使用。`,
			verb: '删除',
			run: () => deletePoint(point),
			success: '权限已删除',
		});
	}

	return (
		<span className="row-actions">
			<Button type="link" aria-label={`编辑 ${title}`} onClick={() => void begin(edit)}>
				编辑
			</Button>
			<Button type="link" danger aria-label={`删除 ${title}`} onClick={() => void begin(remove)}>
				删除
			</Button>
			<Opening isOpen={isOpen} onClose={() => setOpen(false)}>
				{present && <OwnPointForm point={present} />}
			</Opening>
		</span>
	);
}
