import { Grid } from 'antd';

/** Where a drawer comes from: the side, so wide; on a phone from below, as high as what it holds. */
export function useSheet(width: number | string): { placement: 'right' | 'bottom'; size: number | string } {
	const isWide = Grid.useBreakpoint().md ?? true;
	return isWide ? { placement: 'right', size: width } : { placement: 'bottom', size: 'auto' };
}
