/** The theme of Ant Design: one accent, red and amber for what needs attention, grey for everything else. */
import { type ThemeConfig, theme as themes } from 'antd';
import { useMemo } from 'react';
import { createMediaHook, useIsPhone } from './page/screen.ts';

/** Paper is always light. */
const useIsDark = createMediaHook('screen and (prefers-color-scheme: dark)');

/** The theme for the system's preference and the screen. */
export function useTheme(): ThemeConfig {
	const theme = useIsDark() ? darkTheme : lightTheme;
	const isPhone = useIsPhone();
	return useMemo(() => (isPhone ? onPhone(theme) : theme), [theme, isPhone]);
}

type Tokens = NonNullable<ThemeConfig['token']>;

/** The same in light and dark. `main.css` has the font. One of Ant Design's sizes is not among our four. */
const shared = {
	// With motion, a loading sign whose request ends while it appears would stay forever.
	motion: false,
	fontFamily: 'inherit',
	borderRadius: 8,
	fontSizeXL: 16,
} satisfies Tokens;

/** Large enough for a finger; a calendar would follow these sizes, and be wider than the screen. */
function onPhone({ token, components, ...theme }: ThemeConfig): ThemeConfig {
	return {
		...theme,
		token: { ...token, controlHeight: 44, controlHeightSM: 44 },
		components: { ...components, DatePicker: { cellWidth: 38, cellHeight: 40, textHeight: 44 } },
	};
}

/** With the corners of a button, a checkbox would look like a radio button. */
const sharedComponents = { Checkbox: { borderRadiusSM: 4 } };

/** The tint is the background of chosen items and notices. Ant Design would make it grey for such a dark green. */
function accentOf(normal: string, hover: string, active: string, tint: string, line: string): Tokens {
	return {
		colorPrimary: normal,
		colorPrimaryHover: hover,
		colorPrimaryActive: active,
		colorInfo: normal,
		colorLink: normal,
		colorLinkHover: active,
		colorLinkActive: active,
		colorPrimaryBg: tint,
		colorPrimaryBgHover: tint,
		colorInfoBg: tint,
		colorInfoBorder: line,
	};
}

/** Some of Ant Design's colours are too faint on their background: WCAG 2.2 asks for 4.5 to 1. */
const lightTheme: ThemeConfig = {
	algorithm: (seed) => ({
		...themes.defaultAlgorithm(seed),
		...accentOf('#0b6b58', '#08574a', '#064339', '#e3efeb', '#a9cfc4'),
		colorError: '#cf1322',
		colorErrorHover: '#a8071a',
		colorWarning: '#874d00',
		colorSuccess: '#237804',
		colorBgMask: 'rgba(0,0,0,0.62)',
		colorTextTertiary: 'rgba(0,0,0,0.62)',
	}),
	token: { ...shared, colorPrimary: '#0b6b58', colorTextPlaceholder: 'rgba(0,0,0,0.58)' },
	components: sharedComponents,
};

const darkTheme: ThemeConfig = {
	algorithm: (seed) => ({
		...themes.darkAlgorithm(seed),
		...accentOf('#58c9af', '#7ad9c3', '#9be6d5', '#16352e', '#2c5f53'),
		colorError: '#ff8f85',
		colorErrorHover: '#ffb0a8',
		colorErrorActive: '#ffb0a8',
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
	// Text on the accent and on red is dark, because both are light here.
	token: { ...shared, colorPrimary: '#58c9af', colorWhite: '#06231d', colorTextPlaceholder: 'rgba(255,255,255,0.58)' },
	components: { Checkbox: { ...sharedComponents.Checkbox, colorBorder: '#7d8783' } },
};
