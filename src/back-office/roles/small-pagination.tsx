import { Pagination } from 'antd';
import type { Page } from '../api/client.ts';

interface Props {
	/** What the service said of a list. */
	of: Page<unknown>['pagination'];
	onChange(page: number): void;
}

/** Turns the pages of a list inside of something else. */
export function SmallPagination({ of: { page, pageSize, total }, onChange }: Props) {
	return (
		<Pagination
			simple
			hideOnSinglePage
			current={page}
			pageSize={pageSize}
			total={total}
			showSizeChanger={false}
			onChange={onChange}
		/>
	);
}
