import { useQuery } from '@tanstack/react-query';
import { Grid, Skeleton } from 'antd';
import { Link, Route, useLocation } from 'wouter';
import type { PermissionPolicy } from '../../permissions/model.ts';
import { asRefusal } from '../api/refusal.ts';
import { Problem } from '../page/problem.tsx';
import { definitions, type Groups, isHeld, policies } from './permission-queries.ts';
import { PolicyDrawer } from './policy-drawer.tsx';

/** Which role holds which permission points, and one role beside it. */
export default function PermissionPage() {
	const [, navigate] = useLocation();
	const isWide = Grid.useBreakpoint().md ?? true;
	const [held, defined] = [useQuery(policies), useQuery(definitions)];
	const error = held.error ?? defined.error;
	if (error && !(held.data && defined.data)) return <Problem refusal={asRefusal(error)} />;
	if (!held.data || !defined.data) return <Skeleton active />;
	return (
		<>
			<h1>权限管理</h1>
			{isWide ? (
				<Matrix policies={held.data} groups={defined.data.groups} />
			) : (
				<RoleCards policies={held.data} groups={defined.data.groups} />
			)}
			<Route path="/permissions/:roleId?">
				{({ roleId }) => <PolicyDrawer roleId={roleId} onClose={() => navigate('/permissions')} />}
			</Route>
		</>
	);
}

interface Props {
	policies: readonly PermissionPolicy[];
	groups: Groups;
}

function Matrix({ policies, groups }: Props) {
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
				{groups.map(({ key, title, permissions }) => (
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

function RoleCards({ policies, groups }: Props) {
	return (
		<ul className="cards">
			{policies.map((policy) => (
				<li key={policy.roleId}>
					<article className="card">
						<h2>
							<RoleLink policy={policy} />
						</h2>
						<p>
							{groups
								.flatMap(({ permissions }) => permissions)
								.filter(({ code }) => isHeld(policy, code))
								.map(({ title }) => title)
								.join('、') || '没有权限'}
						</p>
					</article>
				</li>
			))}
		</ul>
	);
}

function RoleLink({ policy: { roleId, roleName, editable } }: { policy: PermissionPolicy }) {
	return editable ? <Link href={`/permissions/${roleId}`}>{roleName}</Link> : roleName;
}
