import { UserOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { ownPageUrl } from '../api/base.ts';
import { signOut } from '../api/session.ts';
import { onItem } from '../forms/actions.tsx';
import { useOpening } from '../forms/opening.tsx';
import { useCommand } from '../page/command.ts';
import { ChainDialog } from './chain-form.tsx';
import { useOwn } from './own.ts';
import { OwnPasswordDialog } from './own-password.tsx';

/** The signed-in account and its menu: password, signing out. */
export function AccountMenu() {
	const { user, can } = useOwn();
	const [open, opened] = useOpening();
	const changePassword = () => open(<OwnPasswordDialog />);
	const nameChain = () => open(<ChainDialog />);
	useCommand('name-chain', nameChain);
	useCommand('own-password', changePassword);
	return (
		<>
			<Dropdown
				trigger={['click']}
				menu={{
					items: [
						{ key: 'own', label: '我的账号', onClick: () => location.assign(ownPageUrl) },
						{ key: 'password', label: '修改密码', onClick: onItem(changePassword) },
						...(can('*') ? [{ key: 'chain', label: '品牌名称', onClick: onItem(nameChain) }] : []),
						{ key: 'here', label: '退出登录', onClick: signOut },
					],
				}}
			>
				<Button type="text" icon={<UserOutlined aria-hidden />} aria-haspopup="menu">
					{user.accountType === 'EMPLOYEE' ? user.displayName : user.username}
				</Button>
			</Dropdown>
			{opened}
		</>
	);
}
