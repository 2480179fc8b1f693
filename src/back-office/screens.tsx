import { StyleProvider } from '@ant-design/cssinjs';
import { App, ConfigProvider, Result } from 'antd';
import locale from 'antd/locale/zh_CN';

/**
 * Ant Design writes its variables into style elements even though the style sheet has them, and the content security
 * policy forbids that: in an element that is not on the page they have no effect.
 */
const offPage = document.createElement('div');

/** What a person sees who is signed in. */
export function Screens() {
	return (
		<StyleProvider container={offPage}>
			<ConfigProvider
				locale={locale}
				theme={{ zeroRuntime: true, hashed: false, cssVar: { key: 'ant-design-variables' } }}
			>
				<App>
					<Result title="已登录" />
				</App>
			</ConfigProvider>
		</StyleProvider>
	);
}
