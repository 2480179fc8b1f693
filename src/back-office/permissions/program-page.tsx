import { useQuery } from '@tanstack/react-query';
import { Checkbox, Tag } from 'antd';
import { useState } from 'react';
import { isStoreScoped } from '../../platform/vocabulary/permissions.ts';
import { useOwn } from '../account/own.ts';
import type { Versioned } from '../api/client.ts';
import { visibleChoices } from '../employees/employee-queries.ts';
import { Confirm } from '../forms/confirm.tsx';
import type { Column } from '../page/listing.tsx';
import { Clipped, Time } from '../page/texts.tsx';
import { ListBelowRoles } from './list-below-roles.tsx';
import { titlesOf, useDefinitions } from './permission-queries.ts';
import { ProgramForm, useShowKeys } from './program-form.tsx';
import * as queries from './program-queries.ts';

type Program = queries.KeyedProgram;

/** The programs that call with a key, with their permissions, last use and last day. */
export function ProgramPage() {
	const own = useOwn();
	const query = useQuery(queries.programs);
	const isConfined = query.data?.some(({ storeId }) => storeId !== null) === true;
	const isScoped = isStoreScoped(own.permissions);
	const { data: { stores } = { stores: [] } } = useQuery({ ...visibleChoices(own), enabled: isConfined && isScoped });
	return (
		<ListBelowRoles
			title="接入程序"
			noun="接入程序"
			nameOf={({ name }) => name}
			query={query}
			columns={useColumns(isConfined)}
			// An account that grants permissions can end any program. The other actions need all its permissions.
			actionsOf={(program) => ({
				query: queries.oneProgram.byId(`${program.id}`),
				actions: queries.canRenewKey(own, program, stores) ? actionsFor(program) : {},
				remove: queries.oneProgram.remove,
				effectOf: ({ permissions, redirectUris }) =>
					[
						permissions.length > 0 && '它的密钥立即失效，使用该密钥的系统不能再读写数据。',
						redirectUris.length > 0 && '员工不能再用自己的账号登录该程序。',
						'删除后不能恢复，名称可以重新使用。',
					]
						.filter(Boolean)
						.join(''),
			})}
			form={<ProgramForm />}
		>
			其他系统，例如工资系统、报表或收银。它们用自己的密钥读写数据，或让员工用自己的账号登录。
		</ListBelowRoles>
	);
}

/** The columns of the list, with the store if some programs work for one only. */
function useColumns(isConfined: boolean): Column<Program>[] {
	const known = useDefinitions();
	const purposeOf = ({ redirectUris, permissions }: Program) =>
		[redirectUris.length > 0 && '登录', titlesOf(known, permissions)].filter(Boolean).join('、') || '没有权限';
	const storeOf = ({ storeName, permissions }: Program) =>
		permissions.length > 0 && <Clipped>{storeName ?? '全部门店'}</Clipped>;
	return [
		{ title: '名称', render: ({ name }) => <Clipped>{name}</Clipped> },
		{
			title: '权限',
			render: (program) => (
				<>
					<Clipped>{purposeOf(program)}</Clipped>
					{/* For a program that can keep no secret, it stands only here. */}
					{program.redirectUris.length > 0 && <div className="absent">client_id：{queries.clientIdOf(program)}</div>}
				</>
			),
		},
		...(isConfined ? [{ title: '门店', render: storeOf }] : []),
		{
			title: '最近使用',
			// The time is that of the key. Signing people in is no use of it.
			render: ({ lastUsedAt, permissions }) =>
				lastUsedAt ? <Time at={lastUsedAt} /> : permissions.length > 0 && <span className="absent">从未使用</span>,
			width: 160,
			isForWide: true,
		},
		{
			title: '到期日',
			render: (program) => (
				<span className="line">
					{program.endsOn ?? '不限'}
					{endTag(program)}
				</span>
			),
			width: 130,
		},
	];
}

/** A tag for a program that has ended or will end soon. */
function endTag(program: Program) {
	if (queries.hasEnded(program)) return <Tag color="error">已到期</Tag>;
	return queries.endsSoon(program) && <Tag color="warning">即将到期</Tag>;
}

function actionsFor({ permissions, redirectUris, isPublic }: Program) {
	const renewal = (noun: RenewalProps['noun']) => ({
		[`新${noun}`]: (present: Versioned<Program>) => <Renewal program={present} noun={noun} />,
	});
	return {
		编辑: (present: Versioned<Program>) => <ProgramForm program={present} />,
		...(permissions.length > 0 && renewal('密钥')),
		...(redirectUris.length > 0 && !isPublic && renewal('登录密钥')),
	};
}

interface RenewalProps {
	program: Versioned<Program>;
	noun: '密钥' | '登录密钥';
}

/** Asks before a program gets a new key, or a new client secret for signing people in. */
function Renewal({ program, noun }: RenewalProps) {
	const showKeys = useShowKeys();
	const [atOnce, setAtOnce] = useState(false);
	return (
		<Confirm
			title={`为“${program.name}”生成新${noun}？`}
			effect={
				<>
					<p>{`现在的${noun}${atOnce ? '立即失效，请马上' : '再用一小时，期间请'}换成新的。`}</p>
					<Checkbox onChange={({ target }) => setAtOnce(target.checked)}>{`旧${noun}立即失效（可能已泄露）`}</Checkbox>
				</>
			}
			verb={`生成新${noun}`}
			isDangerous={atOnce}
			run={() => queries.renew(noun === '密钥' ? 'key' : 'secret', program, atOnce)}
			success={`新${noun}已生成`}
			onDone={showKeys}
		/>
	);
}
