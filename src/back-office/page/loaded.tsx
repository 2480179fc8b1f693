import type { UseQueryResult } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { asRefusal } from '../api/refusal.ts';
import { Problem } from './problem.tsx';

interface Props<Data> {
	query: UseQueryResult<Data>;
	children(data: Data): ReactNode;
}

/** What a query answers, once it is there, or why it is not. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: Props<Data>) {
	if (data !== undefined) return children(data);
	return error ? <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} /> : <Skeleton active />;
}
