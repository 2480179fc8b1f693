import type { UseQueryResult } from '@tanstack/react-query';
import { Button, Result, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { asRefusal, type Refusal } from '../api/refusal.ts';

interface Props<Data> {
	query: UseQueryResult<Data>;
	children(data: Data): ReactNode;
}

/** Shows a query's data once it is there, or why it is not. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: Props<Data>) {
	if (data !== undefined) return children(data);
	return error ? <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} /> : <Skeleton active />;
}

const titles: Record<number, string> = { 403: '没有权限查看此页面', 404: '您访问的内容不存在' };

/** Shown instead of something that cannot be shown, with the reason. */
export function Problem(props: { refusal: Refusal; onRetry?: () => void } | { status: 403 | 404 }) {
	const status = 'refusal' in props ? statusOf(props.refusal) : props.status;
	const message = 'refusal' in props && status === props.refusal.status ? props.refusal.message : titles[status];
	const retry = 'refusal' in props && status !== 403 && status !== 404 ? props.onRetry : undefined;
	return (
		<Result
			icon={null}
			title={<h1>{message}</h1>}
			extra={retry ? <Button onClick={retry}>重试</Button> : <Link href="/">返回首页</Link>}
		/>
	);
}

/** An id that is no number is 400 from the server: for people it is a page that does not exist. */
function statusOf({ status, details }: Refusal): number {
	return details.some(({ path }) => path?.startsWith('params.')) ? 404 : status;
}
