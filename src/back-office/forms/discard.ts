import { App } from 'antd';

/** Returns the function that closes a form; it asks first if changes would be lost. */
export function useDiscard(onClose: () => void): (isChanged: boolean) => void {
	const { modal } = App.useApp();
	return (isChanged) => {
		if (!isChanged) return onClose();
		modal.confirm({
			title: '放弃未保存的修改？',
			okText: '放弃',
			cancelText: '继续编辑',
			okButtonProps: { danger: true },
			autoFocusButton: 'cancel',
			onOk: onClose,
		});
	};
}
