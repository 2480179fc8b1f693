import { App } from 'antd';
import { copyText } from './copy.ts';

/** Returns the function that copies a text, shows whether that worked, and returns it. */
export function useCopy(): (text: string) => Promise<boolean> {
	const { message } = App.useApp();
	return async (text) => {
		const isCopied = await copyText(text);
		void (isCopied ? message.success('已复制') : message.error('复制失败，请手动选择文字'));
		return isCopied;
	};
}
