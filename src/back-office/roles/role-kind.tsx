import { Tag } from 'antd';

/** Whether a role is built in. */
export function Kind({ isSystem }: { isSystem: boolean }) {
	return isSystem ? <Tag>内置</Tag> : <Tag color="blue">自定义</Tag>;
}
