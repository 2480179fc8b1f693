import { Grid } from 'antd';

/** The placement of a drawer: at the side with this width, or on a phone from below with the height of its content. */
export function useSheet(width: number): { placement: 'right' | 'bottom'; size: number | string } {
	const isWide = Grid.useBreakpoint().md ?? true;
	return isWide ? { placement: 'right', size: width } : { placement: 'bottom', size: 'auto' };
}
