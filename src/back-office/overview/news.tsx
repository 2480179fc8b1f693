import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Overview, ReachOverview } from '../../features/overview/model.ts';
import type { Program } from '../../features/programs/model.ts';
import { historyMovements, movementWords } from '../../platform/vocabulary/history.ts';
import { historyCode } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import { numberOf, people } from '../page/texts.tsx';
import { isOver } from '../permissions/program-queries.ts';

/** The part of an overview that says what needs attention. */
interface News extends Pick<Overview, 'today' | 'employeesPerStore'> {
	attention: ReachOverview['attention'] & Partial<Overview['attention']>;
}

/** How many stores are named. */
const maxNamed = 3;

/** The matters that need attention, each a sentence that leads to the list behind it. */
export function Attention({ overview, programs = [] }: { overview: News; programs?: readonly Program[] }) {
	const { can } = useOwn();
	const over = programs.filter(isOver).length;
	const lines = [
		...linesOf(overview, can(historyCode)),
		emptyStores(overview),
		{ number: over, text: `${over} 个接入程序已到期，不能再使用`, href: '/roles/programs', isUrgent: true },
	].filter(({ number }) => number > 0);
	if (lines.length === 0) return <p className="news all-well">一切正常</p>;
	return (
		<>
			<h2>需要处理</h2>
			<ul className="news">
				{lines.map(({ text, href, isUrgent }) => (
					<li key={href}>
						<Link href={href} className={isUrgent ? 'row-link urgent' : 'row-link'}>
							{text} <span aria-hidden>→</span>
						</Link>
					</li>
				))}
			</ul>
		</>
	);
}

/** Urgent is what somebody cannot work because of. The history is for the super administrator only. */
function linesOf(overview: News, seesHistory: boolean) {
	const { attention, today } = overview;
	const {
		lockedOut,
		expiredPasswords,
		withoutRole,
		initialPasswords,
		neverSignedIn,
		notLately,
		refusedSignIns = 0,
	} = attention;
	const line = (number: number, text: string, href: string, isUrgent = false) => ({ number, text, href, isUrgent });
	const of = (number: number, what: string, filter: string, isUrgent = false) =>
		line(number, `${people(number)}${what}`, `/employees?status=ACTIVE&attention=${filter}`, isUrgent);
	const refused = `/history?action=SIGN_IN_REFUSED&from=${today}`;
	return [
		line(
			lockedOut,
			`${people(lockedOut)}因${closedStores(overview)}已禁用而无法登录`,
			'/employees?attention=lockedOut',
			true,
		),
		of(expiredPasswords, '的一次性密码已过期，须重新生成', 'passwordExpired', true),
		of(withoutRole, '没有角色，登录后没有任何权限', 'withoutRole'),
		of(initialPasswords, '未设置自己的密码', 'passwordIsInitial'),
		of(neverSignedIn, '从未登录', 'neverSignedIn'),
		of(notLately, '90 天没有登录', 'notLately'),
		line(seesHistory ? refusedSignIns : 0, `今天有 ${numberOf(refusedSignIns)} 次登录被拒绝`, refused),
	];
}

/** The enabled stores without people: nobody can open them. */
function emptyStores({ employeesPerStore }: News) {
	const empty = employeesPerStore.filter(({ storeStatus, employees }) => storeStatus === 'ACTIVE' && employees === 0);
	const names = empty.slice(0, maxNamed).map(({ storeName }) => `“${storeName}”`);
	const more = empty.length > maxNamed ? `等 ${numberOf(empty.length)} 家门店` : '';
	return {
		number: empty.length,
		text: `${names.join('、')}${more}还没有员工`,
		href: empty.length === 1 ? `/stores/${empty[0]?.storeId}` : '/stores',
		isUrgent: false,
	};
}

/** The only disabled store with people who are enabled, or how many there are. */
function closedStores({ employeesPerStore }: News): string {
	const closed = employeesPerStore.filter(({ storeStatus, enabled }) => storeStatus === 'INACTIVE' && enabled > 0);
	return closed.length === 1 ? `“${closed[0]?.storeName}”` : ` ${numberOf(closed.length)} 家门店`;
}

interface EndingProps extends Pick<Overview, 'ending'> {
	programs?: readonly Program[];
}

/** The employees, roles and programs whose last day is within 14 days. */
export function Ending({ ending: { total, items }, programs = [] }: EndingProps) {
	const { can } = useOwn();
	const count = total + programs.length;
	if (count === 0) return null;
	return (
		<>
			<h2>14 天内到期（{count.toLocaleString('zh-CN')}）</h2>
			<ul className="news">
				{programs.map(({ id, name, endsOn }) => (
					<li key={id}>
						<Link href="/roles/programs" className="row-link">
							接入程序“{name}”的有效期至 {endsOn?.slice(5)} <span aria-hidden>→</span>
						</Link>
					</li>
				))}
				{items.map(({ on, employeeId, name, storeName, roleId, roleName }) => (
					<li key={`${employeeId} ${roleId}`}>
						<Link href={`/employees/${employeeId}`} className="row-link">
							{name}（{storeName}）{roleName === null ? '的最后工作日是' : `的角色“${roleName}”到期日是`} {on.slice(5)}{' '}
							<span aria-hidden>→</span>
						</Link>
					</li>
				))}
				{total > items.length && <li className="absent">以及更晚的 {total - items.length} 项</li>}
			</ul>
			{can(historyCode) && <p className="absent">到期当天结束后由系统自动处理，操作记录中可以查到。</p>}
		</>
	);
}

const units = { hired: '人', left: '人', moved: '人次', newRoles: '人次' } as const;

/** The last seven days in one sentence; only the super administrator sees the records behind it. */
export function Movements({ movements, employeesPerStore }: Pick<Overview, 'movements' | 'employeesPerStore'>) {
	const seesHistory = useOwn().can(historyCode);
	const { from, busiest } = movements;
	const parts = historyMovements.flatMap((movement) => {
		const number = movements[movement];
		if (number === 0) return [];
		const text = `${movementWords[movement]} ${numberOf(number)} ${units[movement]}`;
		const href = `/history?movement=${movement}&from=${from}`;
		return [{ movement, shown: seesHistory ? <InText href={href}>{text}</InText> : text }];
	});
	return (
		<>
			<h2>近 7 天</h2>
			<p className="news">
				{parts.length === 0 && '没有人员变动'}
				{parts.map(({ movement, shown }, index) => (
					<span key={movement}>
						{index > 0 && '、'}
						{shown}
						{movement === 'hired' && busiest && employeesPerStore.length > 1 && (
							<>
								（<InText href={`/stores/${busiest.storeId}`}>{busiest.storeName}</InText>最多）
							</>
						)}
					</span>
				))}
			</p>
		</>
	);
}

function InText({ href, children }: { href: string; children: ReactNode }) {
	return (
		<Link href={href} className="in-text">
			{children}
		</Link>
	);
}
