import { QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import locale from 'antd/es/locale/zh_CN';
import { Router } from 'wouter';
import { base } from './api/base.ts';
import { useOwnClient } from './api/query-client.ts';
import { Shell } from './shell/shell.tsx';
import { useTheme } from './theme.ts';

/** The year and the month above the days of a calendar are buttons with a text, which their labels would hide. */
Object.assign(locale.DatePicker?.lang ?? {}, { yearSelect: '', monthSelect: '' });

/** All that a signed-in person sees. */
export function Screens() {
	return (
		<ConfigProvider locale={locale} theme={useTheme()} button={{ autoInsertSpace: false }} wave={{ disabled: true }}>
			<App>
				<QueryClientProvider client={useOwnClient()}>
					<Router base={base}>
						<Shell />
					</Router>
				</QueryClientProvider>
			</App>
		</ConfigProvider>
	);
}
