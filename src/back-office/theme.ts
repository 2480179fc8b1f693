/** Ant Design's look: one accent, red and amber for what needs somebody, grey for everything else. */
import { type ThemeConfig, theme as themes } from 'antd';
import { useSyncExternalStore } from 'react';

/** On paper it is always light. */
const dark = window.matchMedia('screen and (prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
	dark.addEventListener('change', listener);
	return () => dark.removeEventListener('change', listener);
}

/** The look that the system's preference asks for. */
export function useTheme(): ThemeConfig {
	return useSyncExternalStore(subscribe, () => dark.matches) ? darkTheme : lightTheme;
}

type Tokens = NonNullable<ThemeConfig['token']>;

/** The same in both: `main.css` has the font. Two of Ant Design's sizes are none of the four. */
const shared = {
	// Without motion: a loading sign whose request ends while it appears would stay for ever.
	motion: false,
	fontFamily: 'inherit',
	borderRadius: 8,
	fontSizeHeading3: 24,
	fontSizeXL: 16,
} satisfies Tokens;

function accentOf(normal: string, hover: string, active: string): Tokens {
	return {
		colorPrimary: normal,
		colorPrimaryHover: hover,
		colorPrimaryActive: active,
		colorInfo: normal,
		colorLink: normal,
		colorLinkHover: active,
		colorLinkActive: active,
	};
}

/** The light shades of the accent: Ant Design would derive grey ones from a colour this dark. */
const tints: Tokens = {
	colorPrimaryBg: '#e3efeb',
	colorPrimaryBgHover: '#d3e6e0',
	colorInfoBg: '#e3efeb',
	colorInfoBorder: '#b7d6cd',
};

/** Ant Design's colours that are too faint on their background (WCAG 2.2 asks for 4.5 to 1), and darker ones of its palette. */
const darkerColors: Record<string, string> = {
	'#52c41a': '#237804',
	'#faad14': '#874d00',
	'#ff4d4f': '#cf1322',
	'#ff7875': '#a8071a',
	'rgba(0,0,0,0.45)': 'rgba(0,0,0,0.62)',
};

function darken<Map extends object>(tokens: Map): Map {
	const pairs = Object.entries(tokens).map(([name, value]) => [name, darkerColors[value] ?? value]);
	return Object.fromEntries(pairs) as Map;
}

const lightTheme: ThemeConfig = {
	algorithm: (seed) => ({
		...darken(themes.defaultAlgorithm(seed)),
		...accentOf('#0b6b58', '#08574a', '#064339'),
		...tints,
	}),
	token: { ...shared, colorPrimary: '#0b6b58', colorInfo: '#0b6b58', colorTextPlaceholder: 'rgba(0,0,0,0.58)' },
};

/** Dark text stands on the accent and on red, which are light here. */
const onLight = '#06231d';

const darkTheme: ThemeConfig = {
	algorithm: (seed) => ({
		...themes.darkAlgorithm(seed),
		...accentOf('#58c9af', '#7ad9c3', '#9be6d5'),
		colorError: '#ff8f85',
		colorErrorHover: '#ffb0a8',
		colorErrorActive: '#ffb0a8',
		colorErrorText: '#ff8f85',
		colorWarning: '#f0b35a',
		colorSuccess: '#7ccf7f',
		colorBgLayout: '#111413',
		colorBgContainer: '#1a1e1c',
		colorBgElevated: '#212624',
		colorBgSpotlight: '#d5dbd8',
		colorBorder: '#4b5350',
		colorBorderSecondary: '#2d3331',
		colorTextTertiary: 'rgba(255,255,255,0.65)',
	}),
	token: {
		...shared,
		colorPrimary: '#58c9af',
		colorInfo: '#58c9af',
		colorTextPlaceholder: 'rgba(255,255,255,0.58)',
		colorTextLightSolid: onLight,
		colorWhite: onLight,
	},
	components: { Button: { primaryColor: onLight, dangerColor: onLight } },
};
