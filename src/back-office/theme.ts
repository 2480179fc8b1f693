/** The theme of Ant Design: one accent, red and amber for what needs attention, grey for everything else. */
import { type ThemeConfig, theme as themes } from 'antd';
import { useMemo } from 'react';
import { createMediaHook, useIsPhone } from './page/screen.ts';

/** Paper is always light. */
const useIsDark = createMediaHook('screen and (prefers-color-scheme: dark)');

/** The theme for the system's preference and the screen. */
export function useTheme(): ThemeConfig {
	const isDark = useIsDark();
	const isPhone = useIsPhone();
	return useMemo(() => themeFor(isDark, isPhone), [isDark, isPhone]);
}

function themeFor(isDark: boolean, isPhone: boolean): ThemeConfig {
	const derive = isDark ? themes.darkAlgorithm : themes.defaultAlgorithm;
	const colors = { ...colorsFor(isDark), ...(isDark ? onlyDark : onlyLight) };
	return {
		algorithm: (tokens) => ({ ...derive(tokens), ...colors }),
		// Large enough for a finger; a calendar would follow these sizes, and be wider than the screen.
		token: {
			...shared,
			colorPrimary: colors.colorPrimary,
			colorTextPlaceholder: isDark ? 'rgba(255,255,255,0.58)' : 'rgba(0,0,0,0.58)',
			...(isPhone && { controlHeight: 44, controlHeightSM: 44 }),
		},
		components: {
			// With the corners of a button, a checkbox would look like a radio button.
			Checkbox: { borderRadiusSM: 4, ...(isDark && { colorBorder: '#7d8783' }) },
			...(isPhone && { DatePicker: { cellWidth: 38, cellHeight: 40, textHeight: 44 } }),
		},
	};
}

/** The same in light and dark. `main.css` has the font. One of Ant Design's sizes is not among our four. */
const shared = {
	// With motion, a loading sign whose request ends while it appears would stay forever.
	motion: false,
	fontFamily: 'inherit',
	borderRadius: 8,
	fontSizeXL: 16,
};

/** Some of Ant Design's colours are too faint on their background: WCAG 2.2 asks for 4.5 to 1. */
function colorsFor(isDark: boolean) {
	const either = (light: string, dark: string) => (isDark ? dark : light);
	const accent = either('#0b6b58', '#58c9af');
	const strong = either('#064339', '#9be6d5');
	// The background of chosen items and notices. Ant Design would make it grey for such a dark green.
	const tint = either('#e3efeb', '#16352e');
	return {
		colorPrimary: accent,
		colorPrimaryHover: either('#08574a', '#7ad9c3'),
		colorPrimaryActive: strong,
		colorInfo: accent,
		colorLink: accent,
		colorLinkHover: strong,
		colorLinkActive: strong,
		colorPrimaryBg: tint,
		colorPrimaryBgHover: tint,
		colorInfoBg: tint,
		colorInfoBorder: either('#a9cfc4', '#2c5f53'),
		colorError: either('#cf1322', '#ff8f85'),
		colorErrorHover: either('#a8071a', '#ffb0a8'),
		colorWarning: either('#874d00', '#f0b35a'),
		colorSuccess: either('#237804', '#7ccf7f'),
		colorTextTertiary: either('rgba(0,0,0,0.62)', 'rgba(255,255,255,0.65)'),
	};
}

const onlyLight = { colorBgMask: 'rgba(0,0,0,0.62)' };

const onlyDark = {
	// Text on the accent and on red is dark, because both are light here.
	colorWhite: '#06231d',
	colorErrorActive: '#ffb0a8',
	colorBgLayout: '#111413',
	colorBgContainer: '#1a1e1c',
	colorBgElevated: '#212624',
	colorBgSpotlight: '#d5dbd8',
	colorBorder: '#4b5350',
	colorBorderSecondary: '#2d3331',
};
