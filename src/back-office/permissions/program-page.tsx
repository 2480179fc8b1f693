import { useQuery } from '@tanstack/react-query';
import { Checkbox, Tag } from 'antd';
import { useState } from 'react';
import { useOwn } from '../account/own.ts';
import { visibleChoices } from '../employees/employee-queries.ts';
import type { RowAction } from '../forms/actions.tsx';
import type { Column } from '../page/listing.tsx';
import { Clipped, Time } from '../page/texts.tsx';
import { ListBelowRoles } from './list-below-roles.tsx';
import { titlesOf, useDefinitions } from './permission-queries.ts';
import { ProgramForm } from './program-form.tsx';
import * as queries from './program-queries.ts';
import { SecretDialog } from './secret-dialog.tsx';

type Program = queries.KeyedProgram;

/** The programs that call with a key: what they may do, when they last did, and until when. */
export function ProgramPage() {
	const own = useOwn();
	const known = useDefinitions();
	const query = useQuery(queries.programs);
	const [made, setMade] = useState<Program>();
	const secrets = [made?.key, made?.clientSecret].filter((each) => each !== undefined);
	const isConfined = query.data?.some(({ storeId }) => storeId !== null) === true;
	const { data: { stores } = { stores: [] } } = useQuery({ ...visibleChoices(own), enabled: isConfined });
	const columns: Column<Program>[] = [
		{ title: '名称', render: ({ name }) => <Clipped>{name}</Clipped>, width: 160 },
		{ title: '权限', render: (program) => <Clipped>{purposeOf(program)}</Clipped> },
		...(isConfined ? [{ title: '门店', render: (program: Program) => storeOf(program), width: 130 }] : []),
		{
			title: '最近使用',
			render: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="absent">从未使用</span>),
			width: 160,
		},
		{
			title: '有效期至',
			render: (program) => (
				<span className="named">
					{program.endsOn ?? '不限'}
					{endTag(program)}
				</span>
			),
			width: 190,
		},
	];
	return (
		<>
			<ListBelowRoles
				title="接入程序"
				noun="接入程序"
				query={query}
				columns={columns}
				actionsOf={actionsOf}
				form={<ProgramForm onDone={setMade} />}
				opensFor="new-program"
			>
				其他系统，例如工资系统、报表或收银。它们用自己的密钥读写数据，或让员工用自己的账号登录。
			</ListBelowRoles>
			{secrets.length > 0 && made && (
				<SecretDialog
					title={`“${made.name}”的密钥`}
					noun="密钥"
					secret={secrets.join('\n')}
					advice="保存到该程序的设置中。谁有密钥，谁就有该程序的权限。"
					remedy="只能生成新密钥"
					onClose={() => setMade(undefined)}
				/>
			)}
		</>
	);

	function purposeOf({ id, permissions, redirectUris }: Program) {
		const signsIn = redirectUris.length > 0 && `登录（client_id：program-${id}）`;
		return [signsIn, titlesOf(known, permissions)].filter(Boolean).join('、') || '没有权限';
	}

	function storeOf({ storeId }: Program) {
		if (storeId === null) return '全部门店';
		return <Clipped>{stores.find(({ id }) => id === storeId)?.name ?? `编号 ${storeId}`}</Clipped>;
	}

	/** An account that gives permissions ends any program; only one that holds all of its permissions may do the rest. */
	function actionsOf(program: Program) {
		const { id, name } = program;
		const full: RowAction<Program>[] = [
			{ verb: '编辑', form: (present) => <ProgramForm program={present} /> },
			...(program.permissions.length > 0 ? [renewal('密钥', 'key')] : []),
			...(queries.hasSecret(program) ? [renewal('登录密钥', 'secret')] : []),
		];
		const actions = [...(queries.mayCallAs(own, program, stores) ? full : []), deletion];
		return { name, query: queries.oneProgram.byId(`${id}`), actions };
	}

	/** Asks before a program gets another key or client secret. */
	function renewal(noun: '密钥' | '登录密钥', what: 'key' | 'secret'): RowAction<Program> {
		function ask(program: Program) {
			let atOnce = false;
			return {
				title: `为“${program.name}”生成新${noun}？`,
				effect: (
					<>
						<p>{`现在的${noun}再用一小时，期间请换成新的。`}</p>
						<Checkbox
							onChange={({ target }) => (atOnce = target.checked)}
						>{`旧${noun}立即失效（可能已泄露）`}</Checkbox>
					</>
				),
				verb: `生成新${noun}`,
				run: async () => setMade(await queries.renew(what, program, atOnce)),
				success: `新${noun}已生成`,
			};
		}
		return { verb: `新${noun}`, ask };
	}
}

const deletion: RowAction<Program> = {
	verb: '删除',
	isRed: true,
	ask: (program) => ({
		title: `删除接入程序“${program.name}”？`,
		effect: '它的密钥立即失效，使用该密钥的系统不能再读写数据。删除后不能恢复，名称可以重新使用。',
		run: () => queries.oneProgram.remove(program),
		success: '接入程序已删除',
	}),
};

/** Says that a program is over, or soon will be. */
function endTag(program: Program) {
	if (queries.isOver(program)) return <Tag color="error">已到期</Tag>;
	return queries.endsSoon(program) && <Tag color="warning">即将到期</Tag>;
}
