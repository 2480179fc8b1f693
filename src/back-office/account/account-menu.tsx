import { UserOutlined } from '@ant-design/icons';
import { ownPageUrl } from '../api/base.ts';
import { signOut } from '../api/session.ts';
import { MenuButton } from '../forms/actions.tsx';
import { useOpenAbove } from '../forms/opening.tsx';
import { useCommand } from '../page/command.ts';
import { ChainDialog } from './chain-form.tsx';
import { useOwn } from './own.ts';
import { OwnPasswordDialog } from './own-password.tsx';

/** The signed-in account and its menu: password, signing out. */
export function AccountMenu() {
	const { user, can } = useOwn();
	const open = useOpenAbove();
	const changePassword = () => open(<OwnPasswordDialog />);
	const nameChain = () => open(<ChainDialog />);
	useCommand('name-chain', nameChain);
	useCommand('own-password', changePassword);
	return (
		<MenuButton
			items={[
				{ key: 'own', label: '我的账号', choose: () => location.assign(ownPageUrl) },
				{ key: 'password', label: '修改密码', choose: changePassword },
				...(can('*') ? [{ key: 'chain', label: '品牌名称', choose: nameChain }] : []),
				{ key: 'here', label: '退出登录', choose: signOut },
			]}
			type="text"
			icon={<UserOutlined aria-hidden />}
		>
			{user.accountType === 'EMPLOYEE' ? user.displayName : user.username}
		</MenuButton>
	);
}
