import { Button } from 'antd';
import { useLocation } from 'wouter';
import type { Overview } from '../../overview/model.ts';
import { command } from '../page/command.ts';

/** What a new chain begins with. */
export function FirstSteps({ overview: { stores } }: { overview: Overview }) {
	const [, navigate] = useLocation();
	const hasStore = stores.ACTIVE + stores.INACTIVE > 0;
	const steps = [
		{
			title: '门店',
			text: '先登记每一家门店',
			action: '新增门店',
			href: '/stores',
			opens: 'new-store',
			isDone: hasStore,
		},
		{ title: '角色', text: '店长、收银员等角色已经内置，也可以自己新增', action: '查看角色', href: '/roles' },
		{
			title: '员工',
			text: '逐个新增，或从表格一次导入',
			action: '新增员工',
			href: '/employees',
			opens: 'new-employee',
		},
		{
			title: '密码',
			text: '把一次性密码交给本人，并看看谁还没有登录',
			action: '查看未登录的员工',
			href: '/employees?neverSignedIn=true',
		},
	];
	const next = hasStore ? 1 : 0;
	return (
		<>
			<h2>四步开始使用</h2>
			<ol className="first-steps">
				{steps.map(({ title, text, action, href, opens, isDone }, index) => (
					<li key={title}>
						<strong>
							{index + 1}. {title}
							{isDone && <span className="absent"> 已完成</span>}
						</strong>
						<p>{text}</p>
						<Button
							type={index === next ? 'primary' : 'default'}
							onClick={() => {
								command.set(opens);
								navigate(href);
							}}
						>
							{action}
						</Button>
					</li>
				))}
			</ol>
		</>
	);
}
