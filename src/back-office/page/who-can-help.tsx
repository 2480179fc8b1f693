import { useQuery } from '@tanstack/react-query';
import type { Permission } from '../../platform/vocabulary/permissions.ts';
import { api } from '../api/client.ts';
import type { Refusal } from '../api/refusal.ts';
import { queryOf } from '../api/things.ts';

/** The permission that is missing according to a refusal. */
export function missingIn({ status, details }: Refusal): Permission | undefined {
	const named = status === 403 ? details.find(({ permission, permissions }) => permission ?? permissions) : undefined;
	return (named?.permission ?? named?.permissions?.[0]) as Permission | undefined;
}

/** Shows which permission is missing, and which colleagues have it. */
export function WhoCanHelp({ missing }: { missing: Permission }) {
	const { data, isLoading } = useQuery({
		...queryOf(['helpers', missing], () => api.employees.helpers.get({ query: { permission: missing } })),
		enabled: missing !== '*',
	});
	if (isLoading) return null;
	if (!data?.title) return '请超级管理员帮忙。';
	const names = [...data.people.map(({ name }) => name), '超级管理员'];
	return `需要权限“${data.title}”。可以请${names.join('、')}帮忙。`;
}
