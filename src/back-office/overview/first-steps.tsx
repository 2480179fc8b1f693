import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Overview } from '../../features/overview/model.ts';
import { useOwn } from '../account/own.ts';
import { FormButton } from '../forms/opening.tsx';
import { command } from '../page/command.ts';
import { RoleForm, storeLead } from '../roles/role-form.tsx';

/** Whether nobody has begun to work with it: the chain has no people, or none of them has signed in. */
export function isBeginning({ employees, attention }: Overview): boolean {
	const isEmpty = employees.ACTIVE + employees.INACTIVE === 0;
	return isEmpty || (employees.ACTIVE > 0 && attention.neverSignedIn === employees.ACTIVE);
}

interface Step {
	title: string;
	text: string;
	isDone: boolean;
	/** Its button, if the account may use it. */
	button(type: 'primary' | 'default'): ReactNode;
}

/** The first steps of a new chain, until people sign in. */
export function FirstSteps({ overview: { stores, employees, holdersPerRole } }: { overview: Overview }) {
	const { can } = useOwn();
	const steps: Step[] = [
		{
			title: '门店',
			text: '先登记每一家门店',
			isDone: stores.ACTIVE + stores.INACTIVE > 0,
			button: (type) =>
				can('store:manage') && <Opens {...{ type, opens: 'new-store', href: '/stores' }}>新增门店</Opens>,
		},
		{
			title: '角色',
			text: '内置的店长只能查看本店员工。想让店长自己新增员工、重置密码，再加一个角色。',
			isDone: holdersPerRole.some(({ roleCode }) => roleCode === storeLead.values.code),
			button: (type) =>
				can('role:manage') &&
				can('permission:manage') && (
					<FormButton type={type} form={<RoleForm draft={storeLead} />}>
						新增管理本店的店长
					</FormButton>
				),
		},
		{
			title: '员工',
			text: '逐个新增，或从表格一次导入',
			isDone: employees.ACTIVE + employees.INACTIVE > 0,
			button: (type) =>
				can('employee:manage') && <Opens {...{ type, opens: 'new-employee', href: '/employees' }}>新增员工</Opens>,
		},
		{
			title: '密码',
			text: '把一次性密码交给本人，并看看谁还没有登录',
			isDone: false,
			button: (type) => <Opens {...{ type, href: '/employees?neverSignedIn=true' }}>查看未登录的员工</Opens>,
		},
	];
	// A chain with employees needs no first role any more.
	const next = steps[2]?.isDone ? 3 : steps.findIndex(({ isDone }) => !isDone);
	return (
		<>
			<h2>四步开始使用</h2>
			<ol className="first-steps">
				{steps.map(({ title, text, isDone, button }, index) => (
					<li key={title}>
						<strong>
							{index + 1}. {title}
							{isDone && <span className="absent"> 已完成</span>}
						</strong>
						<p>{text}</p>
						{button(index === next ? 'primary' : 'default')}
					</li>
				))}
			</ol>
		</>
	);
}

interface OpensProps {
	type: 'primary' | 'default';
	href: string;
	/** The form that the page opens. */
	opens?: string;
	children: string;
}

function Opens({ type, href, opens, children }: OpensProps) {
	const [, navigate] = useLocation();
	return (
		<Button
			type={type}
			onClick={() => {
				command.set(opens);
				navigate(href);
			}}
		>
			{children}
		</Button>
	);
}
