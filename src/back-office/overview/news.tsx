import { Link } from 'wouter';
import type { Overview, ReachOverview } from '../../features/overview/model.ts';
import type { Program } from '../../features/programs/model.ts';
import { attentionWords } from '../../identity/history/words.ts';
import { historyMovements, movementWords } from '../../platform/vocabulary/history.ts';
import { daysAhead, idleDays } from '../../platform/vocabulary/limits.ts';
import { historyCode } from '../../platform/vocabulary/permissions.ts';
import { seesSeveralStores } from '../account/home.ts';
import { useOwn } from '../account/own.ts';
import { firstOf, numberOf, people } from '../page/texts.tsx';
import { hasEnded } from '../permissions/program-queries.ts';

/** The part of an overview that shows what needs attention. */
interface News extends Pick<Overview, 'today' | 'employeesPerStore'> {
	/** Whether the account sees more stores than those. */
	hasMoreStores?: boolean;
	attention: ReachOverview['attention'] & Partial<Overview['attention']>;
}

/** The maximum number of stores to name. */
const maxNamed = 3;

/** A sentence with a link to its list; without one if the account may not see it. */
interface Line {
	text: string;
	href?: string | undefined;
	isUrgent?: boolean;
}

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
	return (
		<>
			<h2>{title}</h2>
			<ul className="news">
				{lines.map(({ text, href, isUrgent }) => (
					<li key={`${href} ${text}`}>
						{href === undefined ? (
							text
						) : (
							<Link href={href} className={isUrgent ? 'row-link urgent' : 'row-link'}>
								{text} <span aria-hidden>→</span>
							</Link>
						)}
					</li>
				))}
			</ul>
		</>
	);
}

/** Lists the matters that need attention. A matter is urgent if it keeps somebody from working. */
export function Attention({ overview, programs = [] }: { overview: News; programs?: readonly Program[] }) {
	const { can } = useOwn();
	const { today, attention } = overview;
	const { lockedOut, refusedSignIns = 0 } = attention;
	const over = programs.filter(hasEnded).length;
	const of = (number: number, what: string, filter: string, isUrgent = false) => ({
		number,
		text: `${people(number)}${what}`,
		href: `/employees?${filter}`,
		isUrgent,
	});
	const lines = [
		of(lockedOut, `因${closedStores(overview)}已禁用而无法登录`, 'attention=lockedOut', true),
		of(attention.expiredPasswords, '的一次性密码已过期，须重新生成', 'status=ACTIVE&attention=passwordExpired', true),
		of(attention.withoutRole, '没有角色，登录后没有任何权限', 'status=ACTIVE&attention=withoutRole'),
		of(attention.initialPasswords, attentionWords.passwordIsInitial, 'status=ACTIVE&attention=passwordIsInitial'),
		of(attention.notLately, `已 ${idleDays} 天没有登录`, 'status=ACTIVE&attention=notLately'),
		{
			number: can(historyCode) ? refusedSignIns : 0,
			text: `今天有 ${numberOf(refusedSignIns)} 次登录被拒绝`,
			href: `/history?action=SIGN_IN_REFUSED&from=${today}`,
		},
		emptyStores(overview, can('store:view')),
		{ number: over, text: `${over} 个接入程序已到期，不能再使用`, href: '/roles/programs', isUrgent: true },
	].filter(({ number }) => number > 0);
	return lines.length === 0 ? <p className="news all-well">一切正常</p> : <Lines title="需要处理" lines={lines} />;
}

/** The enabled stores without people: nobody can open them. Their number is left out if some stores are unknown. */
function emptyStores({ employeesPerStore, hasMoreStores }: News, seesStores: boolean) {
	const empty = employeesPerStore.filter(({ storeStatus, employees }) => storeStatus === 'ACTIVE' && employees === 0);
	const names = empty.map(({ storeName }) => `“${storeName}”`);
	const number = hasMoreStores ? '' : ` ${numberOf(empty.length)} 家`;
	const only = empty.length === 1 ? empty[0]?.storeId : undefined;
	const [ofStores, ofPeople] = only ? [`/stores/${only}`, `/employees?storeId=${only}`] : ['/stores', undefined];
	return {
		number: empty.length,
		text: `${firstOf(names, `等${number}门店`, maxNamed)}没有员工`,
		href: seesStores ? ofStores : ofPeople,
	};
}

/** The only disabled store with enabled employees, or the number of such stores; neither if some stores are unknown. */
function closedStores({ employeesPerStore, hasMoreStores }: News): string {
	if (hasMoreStores) return '门店';
	const closed = employeesPerStore.filter(({ storeStatus, enabled }) => storeStatus === 'INACTIVE' && enabled > 0);
	return closed.length === 1 ? `“${closed[0]?.storeName}”` : ` ${numberOf(closed.length)} 家门店`;
}

/** The employees, roles and programs whose last day is within {@link daysAhead}. */
export function Ending({
	ending: { total, items },
	programs = [],
}: Pick<Overview, 'ending'> & { programs?: readonly Program[] }) {
	const own = useOwn();
	if (total + programs.length === 0) return null;
	const ofPrograms = programs.map(({ name, endsOn }) => ({
		text: `接入程序“${name}” ${endsOn?.slice(5)} 到期`,
		href: '/roles/programs',
	}));
	const ofPeople = items.map(({ on, employeeId, name, storeName, roleName }) => ({
		text: [
			seesSeveralStores(own) ? `${name}（${storeName}）` : name,
			roleName === null ? ` ${on.slice(5)} 离职` : `的角色“${roleName}” ${on.slice(5)} 到期`,
		].join(''),
		href: `/employees/${employeeId}`,
	}));
	return (
		<>
			<Lines title={`${daysAhead} 天内到期`} lines={[...ofPrograms, ...ofPeople]} />
			{total > items.length && <p className="absent">以及更晚的 {total - items.length} 项</p>}
			{own.can(historyCode) && <p className="absent">到期当天结束后由系统自动处理，操作记录中可以查到。</p>}
		</>
	);
}

const units = { hired: '人', left: '人', moved: '人次', newRoles: '人次' } as const;

/** The last seven days in one sentence, with links to the records behind it for an account that sees them. */
export function Movements({ movements, week }: Pick<Overview, 'movements' | 'week'>) {
	const seesHistory = useOwn().can(historyCode);
	const happened = historyMovements.filter((movement) => movements[movement] > 0);
	return (
		<>
			<h2>近 7 天</h2>
			<p className="news">
				{happened.length === 0 && '没有人员变动'}
				{happened.map((movement, index) => {
					const count = movements[movement];
					// The number leaves out the people who came back. The list behind it has them.
					const records = week.reduce((sum, day) => sum + day[movement], 0);
					const more = records > count ? `（含已返岗，共 ${numberOf(records)} 人次）` : '';
					const text = `${movementWords[movement]} ${numberOf(count)} ${units[movement]}${more}`;
					return (
						<span key={movement}>
							{index > 0 && '、'}
							{seesHistory ? (
								<Link href={`/history?action=${movement}&from=${movements.from}`} className="in-text">
									{text}
								</Link>
							) : (
								text
							)}
						</span>
					);
				})}
			</p>
		</>
	);
}
