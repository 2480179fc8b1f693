import { useQuery } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import type { Administrator, CreateAdministrator } from '../../features/administrators/model.ts';
import { useOwn } from '../account/own.ts';
import { answer, api, done } from '../api/client.ts';
import { queryOf } from '../api/things.ts';
import { lastSignIn } from '../employees/employee-columns.tsx';
import { FormDrawer, typed } from '../forms/form-drawer.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { useSubmit } from '../forms/submit.ts';
import type { Column } from '../page/listing.tsx';
import { ListBelowRoles } from './list-below-roles.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const administrators = queryOf(['administrators'], () => api.administrators.get());

const columns: Column<Administrator>[] = [
	{ title: '用户名', render: ({ username }) => username },
	{ title: '最近登录', render: lastSignIn, width: 180 },
	{ title: '两步验证', render: ({ hasSecondFactor }) => (hasSecondFactor ? '已开启' : '未开启'), width: 110 },
];

/** The accounts that may do everything. People cannot delete their own. */
export function AdministratorPage() {
	const { user } = useOwn();
	return (
		<ListBelowRoles
			title="超级管理员"
			noun="超级管理员"
			nameOf={({ username }) => username}
			query={useQuery(administrators)}
			columns={columns}
			actionsOf={(row) =>
				row.id !== user.id && {
					query: { queryKey: ['administrators', `${row.id}`], queryFn: async () => row },
					remove: ({ id }) => done(api.administrators({ id }).delete()),
					effectOf: () => '该账号立即退出，不能再登录。操作记录中仍保留其用户名。删除后不能恢复，用户名可以重新使用。',
				}
			}
			form={<AdministratorForm />}
		>
			拥有全部权限的账号。请让每个人用自己的账号，操作记录才能说明是谁做的。
		</ListBelowRoles>
	);
}

function AdministratorForm() {
	const openAbove = useOpenAbove();
	const submission = useSubmit((values: CreateAdministrator) => answer(api.administrators.post(values)), {
		success: '超级管理员已新增',
		onDone: ({ username, password }) =>
			openAbove(
				<SecretDialog
					title={`“${username}”的一次性密码`}
					noun="密码"
					secret={password}
					advice="交给本人。首次登录后须设置自己的密码，7 天内有效。"
					remedy="只能删除后重新新增"
				/>,
			),
	});
	return (
		<FormDrawer title="新增超级管理员" submission={submission} isSmall>
			<Form.Item name="username" label="用户名" extra="登录时使用，不能是手机号" rules={typed}>
				<Input autoCapitalize="none" spellCheck={false} placeholder="例如 李总" />
			</Form.Item>
		</FormDrawer>
	);
}
