import type { UseQueryResult } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Permission } from '../../platform/vocabulary/permissions.ts';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { passesOnFocus } from './focus.ts';
import { useSteady } from './open-form.ts';
import { missingIn, WhoCanHelp } from './who-can-help.tsx';

interface Props<Data> {
	query: UseQueryResult<Data>;
	/** The content after a 404. Without it, the page says that nothing is there. */
	gone?: ReactNode;
	children(data: Data): ReactNode;
}

/**
 * Shows the data of a query, or why it could not be read. After a 404, earlier data is no longer shown, unless a form is
 * open: the form may be about it, and says why it cannot be saved.
 */
export function Loaded<Data>({ query: { data, error, refetch }, gone, children }: Props<Data>) {
	const refusal = error ? asRefusal(error) : undefined;
	const isGone = useSteady(refusal?.status === 404);
	if (data !== undefined && !isGone) return children(data);
	if (gone && refusal?.status === 404) return gone;
	return refusal ? <Problem refusal={refusal} onRetry={() => void refetch()} /> : <Skeleton active />;
}

interface ProblemProps {
	/** Absent for a page that does not exist. */
	refusal?: Refusal;
	missing?: Permission | undefined;
	onRetry?(): void;
	/** A way on, where no colleague is named. */
	children?: ReactNode;
}

/** The reason why a page cannot be shown, and the colleagues who can help. */
export function Problem({ refusal, missing = refusal && missingIn(refusal), onRetry, children }: ProblemProps) {
	// The server answers 400 to an impossible address, such as an id that is not a number.
	const isThere = refusal && refusal.status !== 404 && refusal.status !== 400;
	const problem = isThere ? refusal.message : '您访问的内容不存在';
	const isLasting = !isThere || refusal.status === 403;
	return (
		<div ref={passesOnFocus} className="failure">
			<h1>{missing ? '没有权限查看此页面' : problem}</h1>
			<p className="absent">{missing ? <WhoCanHelp missing={missing} /> : children}</p>
			{isLasting || !onRetry ? <Link href="/">返回首页</Link> : <Button onClick={onRetry}>重试</Button>}
		</div>
	);
}
