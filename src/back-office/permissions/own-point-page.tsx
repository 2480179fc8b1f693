import { useQuery } from '@tanstack/react-query';
import type { Point } from '../../features/permissions/model.ts';
import type { Column } from '../page/listing.tsx';
import { numberOf, Optional, people } from '../page/texts.tsx';
import { ListBelowRoles } from './list-below-roles.tsx';
import { OwnPointForm } from './own-point-form.tsx';
import { chainPoints, onePoint } from './own-point-queries.ts';
import { programs } from './program-queries.ts';

/** The permission points that the chain made for its tills and other programs. */
export function OwnPointPage() {
	const { data: allPrograms } = useQuery(programs);
	/** The holders of a point: `3 个角色、41 名员工、1 个接入程序`; empty without any. */
	const holdersOf = ({ code, roles, employees }: Point) => {
		const held = allPrograms?.filter(({ permissions }) => permissions.includes(code)).length;
		const byRoles = roles > 0 && `${numberOf(roles)} 个角色、${people(employees)}`;
		return [byRoles, held && `${held} 个接入程序`].filter(Boolean).join('、');
	};
	const columns: Column<Point>[] = [
		{ title: '名称', render: ({ title }) => title, width: 160 },
		{ title: '编码', render: ({ code }) => <code>{code}</code> },
		{ title: '分组', render: ({ groupTitle }) => groupTitle, width: 120, isForWide: true },
		{ title: '说明', render: ({ description }) => <Optional text={description} />, isForWide: true },
		{ title: '持有', render: (point) => holdersOf(point) || (allPrograms && '没有角色') },
	];
	return (
		<ListBelowRoles
			title="自定义权限"
			noun="权限"
			nameOf={({ title }) => title}
			query={useQuery(chainPoints)}
			columns={columns}
			actionsOf={({ id }) => ({
				query: onePoint.byId(`${id}`),
				actions: { 编辑: (point) => <OwnPointForm point={point} /> },
				remove: onePoint.remove,
				effectOf: (point) => `${takenFrom(holdersOf(point))}删除后不能恢复，编码可以重新使用。`,
			})}
			form={<OwnPointForm />}
		>
			供收银台等系统使用，例如退款、打折。在角色中分配；员工登录收银台时，收银台会得到其权限。
		</ListBelowRoles>
	);
}

const takenFrom = (holders: string) => (holders ? `从 ${holders}收回，立即生效。` : '没有角色持有该权限。');
