import { UserOutlined } from '@ant-design/icons';
import { ownPageUrl } from '../api/base.ts';
import { signOut } from '../api/session.ts';
import { MenuButton } from '../forms/actions.tsx';
import { followLink } from '../forms/discard.ts';
import { useOpenAbove } from '../forms/opening.tsx';
import { ChainDialog } from './chain-form.tsx';
import { useOwn } from './own.ts';
import { OwnPasswordDialog } from './own-password.tsx';

/** The actions on the account and the chain, which need no page, each with its name in pinyin. */
export function useOwnActions() {
	const { can } = useOwn();
	const open = useOpenAbove();
	const nameChain = () => open(<ChainDialog />);
	return [
		{ title: '我的账号', pinyin: 'wodezhanghao wdzh', act: () => location.assign(ownPageUrl) },
		{ title: '修改密码', pinyin: 'xiugaimima xgmm', act: () => open(<OwnPasswordDialog />) },
		...(can('*') ? [{ title: '品牌名称', pinyin: 'pinpaimingcheng ppmc dianming dm', act: nameChain }] : []),
		{ title: '退出登录', pinyin: 'tuichudenglu tcdl', act: () => followLink(signOut) },
	];
}

/** The signed-in account and its menu. */
export function AccountMenu() {
	const { user } = useOwn();
	return (
		<MenuButton
			items={useOwnActions().map(({ title, act }) => ({ verb: title, choose: act }))}
			type="text"
			icon={<UserOutlined aria-hidden />}
		>
			{user.accountType === 'EMPLOYEE' ? user.displayName : user.username}
		</MenuButton>
	);
}
