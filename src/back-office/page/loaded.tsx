import type { UseQueryResult } from '@tanstack/react-query';
import { Button, Result, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Permission } from '../../platform/vocabulary/permissions.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { Helpers, missingIn } from './helpers.tsx';

interface Props<Data> {
	query: UseQueryResult<Data>;
	children(data: Data): ReactNode;
}

/** Shows a query's data once it is there, or why it is not. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: Props<Data>) {
	if (data !== undefined) return children(data);
	return error ? <Problem refusal={asRefusal(error)} onRetry={() => void refetch()} /> : <Skeleton active />;
}

/** The reason why a page cannot be shown, and the colleagues who can help. */
export function Problem(props: { refusal: Refusal; onRetry?: () => void } | { status: 404 } | { missing: Permission }) {
	const status = 'refusal' in props ? statusOf(props.refusal) : 'missing' in props ? 403 : 404;
	const missing = 'missing' in props ? props.missing : 'refusal' in props ? missingIn(props.refusal) : undefined;
	const message = 'refusal' in props && status !== 404 ? props.refusal.message : '您访问的内容不存在';
	const retry = 'refusal' in props && status !== 403 && status !== 404 ? props.onRetry : undefined;
	return (
		<Result
			icon={null}
			title={<h1>{missing ? '没有权限查看此页面' : message}</h1>}
			subTitle={missing && <Helpers missing={missing} />}
			extra={retry ? <Button onClick={retry}>重试</Button> : <Link href="/">返回首页</Link>}
		/>
	);
}

/** An id that is no number is 400 from the server: for people it is a page that does not exist. */
function statusOf({ status, details }: Refusal): number {
	return details.some(({ path }) => path?.startsWith('params.')) ? 404 : status;
}
