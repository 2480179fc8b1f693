import { Link } from 'wouter';
import type { Overview } from '../../overview/model.ts';
import { useOwn } from '../account/own.ts';

/** What somebody should look at, each line with its number and the list behind it. */
export function Attention({ overview }: { overview: Overview }) {
	const { can } = useOwn();
	const lines = linesOf(overview, can('*')).filter(({ number }) => number > 0);
	return (
		<>
			<h2>需要处理</h2>
			{lines.length === 0 ? (
				<p className="news absent">没有需要处理的事</p>
			) : (
				<ul className="news">
					{lines.map(({ number, text, href, isUrgent }) => (
						<li key={href}>
							<Link href={href} className="row-link">
								<span className={isUrgent ? 'news-number urgent' : 'news-number'}>
									{number.toLocaleString('zh-CN')}
								</span>
								<span>{text}</span>
							</Link>
						</li>
					))}
				</ul>
			)}
		</>
	);
}

/** Urgent is what somebody cannot work because of. The history is for the super administrator only. */
function linesOf({ attention, today }: Overview, seesHistory: boolean) {
	const { lockedOut, expiredPasswords, withoutRole, initialPasswords, neverSignedIn, notLately } = attention;
	const line = (number: number, text: string, href: string, isUrgent = false) => ({ number, text, href, isUrgent });
	const active = '/employees?status=ACTIVE&';
	const refused = `/history?action=SIGN_IN_REFUSED&from=${today}`;
	return [
		line(lockedOut, '名员工因门店被禁用而无法登录', '/employees?lockedOut=true', true),
		line(expiredPasswords, '名员工的一次性密码已过期', `${active}passwordExpired=true`, true),
		line(withoutRole, '名员工没有角色', `${active}withoutRole=true`),
		line(initialPasswords, '名员工初始密码未修改', `${active}passwordIsInitial=true`),
		line(neverSignedIn, '名员工从未登录', `${active}neverSignedIn=true`),
		line(notLately, '名员工 90 天没有登录', `${active}signedInBefore=${attention.signedInBefore}`),
		...(seesHistory ? [line(attention.refusedSignIns, '次登录今天被拒绝', refused)] : []),
	];
}
