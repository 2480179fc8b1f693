import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Overview } from '../../features/overview/model.ts';
import { ChainForm } from '../account/chain-form.tsx';
import { type Own, useOwn } from '../account/own.ts';
import { chainName } from '../api/chain.ts';
import { useValue } from '../api/value.ts';
import { command } from '../page/command.ts';
import { passesOnFocus } from '../page/focus.ts';

interface Step {
	title: string;
	text: string;
	isDone: boolean;
	isOpenTo: boolean;
	/** The buttons, the main one first, each for the action of a page; or a form in place of buttons. */
	buttons?: readonly { text: string; href: string }[];
	form?: ReactNode;
}

/** The first steps of a new chain, in the order of the work. They disappear when the account has done all that it can. */
export function FirstSteps({ overview }: { overview: Overview }) {
	const [, navigate] = useLocation();
	const name = useValue(chainName);
	const steps = stepsFor(useOwn(), overview, name).filter(({ isOpenTo }) => isOpenTo);
	const next = steps.find(({ isDone }) => !isDone);
	if (!next) return null;
	return (
		<>
			<h2>
				开始使用（已完成 {steps.filter(({ isDone }) => isDone).length}/{steps.length}）
			</h2>
			<ol className="first-steps">
				{steps.map((step, index) => (
					<li key={step.title}>
						<strong>
							{index + 1}. {step.title}
							{step.isDone && <span className="absent"> 已完成</span>}
						</strong>
						<p>{step.text}</p>
						{step.form && <div ref={passesOnFocus}>{step.form}</div>}
						{step.buttons?.map(({ text, href }, place) => (
							<Button
								key={text}
								type={step === next && place === 0 ? 'primary' : 'default'}
								onClick={() => {
									command.set({ title: text, href });
									navigate(href);
								}}
							>
								{text}
							</Button>
						))}
					</li>
				))}
			</ol>
		</>
	);
}

function stepsFor({ can }: Own, { stores, employees, initialPasswords }: Overview, name: string | undefined): Step[] {
	const people = employees.ACTIVE + employees.INACTIVE;
	const isNew = stores.ACTIVE + stores.INACTIVE === 0;
	return [
		{
			title: '品牌',
			text: '名称会显示在页面、密码纸条和导出的文件上',
			isDone: name !== undefined,
			isOpenTo: can('*'),
			form: name === undefined && <ChainForm isFocused={isNew} />,
		},
		{
			title: '门店',
			text: '先登记每一家门店，逐个新增，或从表格一次导入',
			isDone: !isNew,
			isOpenTo: can('store:manage'),
			buttons: [
				{ text: '新增门店', href: '/stores' },
				{ text: '从表格导入', href: '/stores/import' },
			],
		},
		{
			title: '员工',
			text: '逐个新增，或从表格一次导入',
			isDone: people > 0,
			isOpenTo: can('employee:manage'),
			buttons: [
				{ text: '新增员工', href: '/employees' },
				{ text: '从表格导入', href: '/employees/import' },
			],
		},
		{
			title: '密码纸条',
			text: '给员工生成一次性密码，打印或发给本人',
			isDone: initialPasswords < people,
			isOpenTo: can('employee:manage'),
			buttons: [{ text: '选择员工', href: '/employees?attention=passwordIsInitial' }],
		},
	];
}
