import { StyleProvider } from '@ant-design/cssinjs';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import locale from 'antd/es/locale/zh_CN';
import { Router } from 'wouter';
import { ownUser } from './account/own.ts';
import { base } from './api/base.ts';
import { useOwnClient } from './api/query-client.ts';
import { followLink } from './forms/discard.ts';
import { NewPassword } from './me/new-password.tsx';
import { Notices } from './session/notices.tsx';
import { Shell } from './shell/shell.tsx';
import { createStyleCache } from './styles.ts';
import { useTheme } from './theme.ts';

/** The year and the month of a calendar are buttons with a text, which their labels would hide. */
Object.assign(locale.DatePicker?.lang ?? {}, { yearSelect: '', monthSelect: '' });

// An open list of options treats Tab as a choice, so leaving the field would assign the first role.
document.addEventListener(
	'keydown',
	(event) => {
		if (event.key === 'Tab' && event.target instanceof Element && event.target.closest('.ant-select')) {
			event.stopPropagation();
		}
	},
	{ capture: true },
);

const styleCache = createStyleCache();

/** An open menu or list of options is in the landmark of its button or field, where screen readers find it. */
const landmarkOf = (field?: HTMLElement): HTMLElement =>
	field?.closest<HTMLElement>('.ant-modal-container, [role=dialog], main, header, nav') ?? document.body;

/** The path of the page. A record of the history opens beside its list. */
const pagePath = () => location.pathname.replace(/(?<=\/history)\/\d+$/, '');

/** Follows a link to the top of another page. On the way back, the browser restores the place. */
function go(navigate: () => void) {
	const before = pagePath();
	navigate();
	if (pagePath() !== before) window.scrollTo(0, 0);
}

/** The screens of a signed-in person. */
export function Screens() {
	return (
		<StyleProvider cache={styleCache}>
			<ConfigProvider
				locale={locale}
				theme={useTheme()}
				button={{ autoInsertSpace: false }}
				wave={{ disabled: true }}
				getPopupContainer={landmarkOf}
			>
				{/* Around the dialogs and messages of Ant Design, too. */}
				<QueryClientProvider client={useOwnClient()}>
					<App>
						<Router base={base} aroundNav={(navigate, ...where) => followLink(() => go(() => navigate(...where)))}>
							<Entered />
						</Router>
					</App>
				</QueryClientProvider>
			</ConfigProvider>
		</StyleProvider>
	);
}

/** The screens; first the form for a password of their own, if the account must set one. */
function Entered() {
	const { data: user } = useQuery(ownUser);
	return (
		<>
			<Notices />
			{user?.mustSetPassword ? <NewPassword user={user} /> : <Shell />}
		</>
	);
}
