import { UserOutlined } from '@ant-design/icons';
import { Button, Dropdown, Modal } from 'antd';
import { useState } from 'react';
import { ownPageUrl } from '../api/base.ts';
import { api, done } from '../api/client.ts';
import { leave, signOut } from '../api/session.ts';
import { Confirm } from '../forms/confirm.tsx';
import { useOpening } from '../forms/opening.tsx';
import { useCommand } from '../page/command.ts';
import { ChainForm } from './chain-form.tsx';
import { useOwn } from './own.ts';
import { OwnPasswordDialog } from './own-password.tsx';

/** The signed-in account and its menu: password, signing out. */
export function AccountMenu() {
	const { user, can } = useOwn();
	const [isNaming, setNaming] = useState(false);
	const [open, opened] = useOpening();
	const changePassword = () => open(<OwnPasswordDialog />);
	useCommand('name-chain', () => setNaming(true));
	useCommand('own-password', changePassword);
	return (
		<>
			<Dropdown
				trigger={['click']}
				menu={{
					items: [
						{ key: 'who', label: describe(user), disabled: true },
						{ type: 'divider' },
						{ key: 'own', label: <a href={ownPageUrl}>我的账号</a> },
						{ key: 'password', label: '修改密码', onClick: changePassword },
						...(can('*') ? [{ key: 'chain', label: '品牌名称', onClick: () => setNaming(true) }] : []),
						{ key: 'here', label: '退出登录', onClick: signOut },
						{ key: 'everywhere', label: '在所有设备上退出', danger: true, onClick: () => open(signOutEverywhere) },
					],
				}}
			>
				<Button type="text" icon={<UserOutlined aria-hidden />} aria-haspopup="menu">
					{user.accountType === 'EMPLOYEE' ? user.displayName : user.username}
				</Button>
			</Dropdown>
			{opened}
			<Modal
				open={isNaming}
				onCancel={() => setNaming(false)}
				footer={null}
				destroyOnHidden
				width={440}
				title="修改品牌名称"
			>
				<ChainForm isFocused onDone={() => setNaming(false)} />
			</Modal>
		</>
	);
}

const signOutEverywhere = (
	<Confirm
		title="在所有设备上退出登录？"
		effect="该账号在所有电脑和手机上的登录都将立即失效，需要重新登录。"
		verb="全部退出"
		run={() => done(api.auth.logout.post(undefined, { query: { everywhere: true } }))}
		success="已在所有设备上退出登录"
		onDone={leave}
	/>
);

function describe({ username, storeName, roles }: ReturnType<typeof useOwn>['user']): string {
	return [username, storeName, roles.map(({ name }) => name).join('、')].filter(Boolean).join(' · ');
}
