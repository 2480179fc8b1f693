import { useQuery } from '@tanstack/react-query';
import { Grid } from 'antd';
import { Link, Route, useLocation } from 'wouter';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { catalog } from '../../vocabulary/permissions.ts';
import { Loaded } from '../page/loaded.tsx';
import { heldBy, isHeld, policies, titleOf } from './permission-queries.ts';
import { PolicyDrawer } from './policy-drawer.tsx';

/** Which role holds which permission points, and one role beside it. */
export default function PermissionPage() {
	const [, navigate] = useLocation();
	const isWide = Grid.useBreakpoint().md ?? true;
	return (
		<Loaded query={useQuery(policies)}>
			{(held) => (
				<>
					<h1>权限管理</h1>
					{isWide ? <Matrix policies={held} /> : <RoleCards policies={held} />}
					<Route path="/permissions/:roleId?">
						{({ roleId }) => <PolicyDrawer roleId={roleId} onClose={() => navigate('/permissions')} />}
					</Route>
				</>
			)}
		</Loaded>
	);
}

function Matrix({ policies }: { policies: readonly PermissionPolicy[] }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard can scroll only what has the focus.
		<section className="matrix" aria-label="权限矩阵" tabIndex={0}>
			<table>
				<thead>
					<tr>
						<th scope="col">权限</th>
						{policies.map((policy) => (
							<th key={policy.roleId} scope="col">
								<RoleLink policy={policy} />
							</th>
						))}
					</tr>
				</thead>
				{catalog.groups.map(({ key, title, permissions }) => (
					<tbody key={key}>
						<tr>
							<th scope="rowgroup" colSpan={policies.length + 1}>
								{title}
							</th>
						</tr>
						{permissions.map(({ code, title, description }) => (
							<tr key={code}>
								<th scope="row">
									{title}
									<small>{description}</small>
								</th>
								{policies.map((policy) => (
									<td key={policy.roleId}>
										{isHeld(policy, code) ? (
											<span role="img" aria-label="有">
												✓
											</span>
										) : (
											<span className="absent">—</span>
										)}
									</td>
								))}
							</tr>
						))}
					</tbody>
				))}
			</table>
		</section>
	);
}

function RoleCards({ policies }: { policies: readonly PermissionPolicy[] }) {
	return (
		<ul className="cards">
			{policies.map((policy) => (
				<li key={policy.roleId}>
					<article className="card">
						<h2>
							<RoleLink policy={policy} />
						</h2>
						<p>{heldBy(policy).map(titleOf).join('、') || '没有权限'}</p>
					</article>
				</li>
			))}
		</ul>
	);
}

function RoleLink({ policy: { roleId, roleName, editable } }: { policy: PermissionPolicy }) {
	return editable ? <Link href={`/permissions/${roleId}`}>{roleName}</Link> : roleName;
}
