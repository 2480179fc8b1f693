import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApprovalCode } from '../../features/approvals/model.ts';
import { answer, api } from '../api/client.ts';
import { steadyQueryOf } from '../api/things.ts';
import { showShortTime } from '../api/time.ts';
import { useNow } from '../api/value.ts';
import { type Definitions, isOfChain } from './abilities.tsx';
import { Part } from './parts.tsx';

/** The interval in milliseconds at which the code is read, to replace a used one soon. A hidden page reads nothing. */
const readEvery = 5000;

const approvalCode = queryOptions({
	queryKey: ['own', 'approval code'],
	queryFn: async () => {
		const { validFor, ...shown } = await answer(api.auth.me['approval-code'].get());
		return { ...shown, endsAt: Date.now() + validFor * 1000 };
	},
	refetchInterval({ state: { data, error } }) {
		if (error) return false;
		return Math.min(readEvery, Math.max(500, (data?.endsAt ?? 0) - Date.now()));
	},
});

/** Fewer wrong codes than this are typing errors. */
const manyWrong = 5;

/** The approvals that the account gave. They are read again when the code changes, because it may have been used. */
const givenUntil = (code: string | undefined) =>
	steadyQueryOf(['own', 'approvals', code], () => api.auth.me.approvals.get({ query: { include: 'title' } }));

/** The code with which an employee who holds one of the chain's points approves requests, and the approvals so far. */
export function Approvals({ held }: { held: Definitions }) {
	const code = useQuery({ ...approvalCode, enabled: held.some(isOfChain) });
	const given = useQuery({ ...givenUntil(code.data?.code), enabled: !code.isLoading });
	const shown = code.error ? undefined : code.data;
	if (!shown && !given.data?.length) return null;
	return (
		<Part title="授权码">
			{shown && <Code {...shown} />}
			{given.data && given.data.length > 0 && (
				<details className="more">
					<summary>最近授权的 {given.data.length} 次</summary>
					<ul className="own-sign-ins">
						{given.data.map(({ id, at, permission, title = permission, subject, requestedBy }) => (
							<li key={id}>
								<time dateTime={at}>{showShortTime(at)}</time>
								<span>{requestedBy.name}</span>
								<span>
									{title}（{subject}）
								</span>
							</li>
						))}
					</ul>
				</details>
			)}
		</Part>
	);
}

function Code({ code, wrongCodes, endsAt }: Omit<ApprovalCode, 'validFor'> & { endsAt: number }) {
	const left = Math.ceil((endsAt - useNow(500)) / 1000);
	return (
		<>
			<p className="own-approval-code" translate="no">
				{code.slice(0, 3)} {code.slice(3)}
			</p>
			<p className="own-time-left">{left > 0 ? `${left} 秒后更换` : '正在更换…'}</p>
			{wrongCodes >= manyWrong && (
				<p role="status">近 24 小时有人 {wrongCodes} 次输错您的授权码。如果不是同事按错，请告诉管理员。</p>
			)}
			<p>同事请您授权时，先问清楚是哪一单，再把这六位数字告诉对方。每个只能用一次。</p>
		</>
	);
}
