import { DownOutlined } from '@ant-design/icons';
import { useContext } from 'react';
import { useLocation } from 'wouter';
import type { Employee } from '../../features/employees/model.ts';
import { isOver } from '../../platform/vocabulary/day.ts';
import { isWorking } from '../../platform/vocabulary/status.ts';
import { isSelf, useOwn } from '../account/own.ts';
import { api, done, type Versioned } from '../api/client.ts';
import { type Action, actions } from '../employees/change-actions.tsx';
import { ChangeForm } from '../employees/change-form.tsx';
import { EmployeeForm } from '../employees/employee-form.tsx';
import { oneEmployee, useAccess } from '../employees/employee-queries.ts';
import { MenuButton, type MenuChoice } from '../forms/actions.tsx';
import { Confirm } from '../forms/confirm.tsx';
import { FormButton, useOpenAbove } from '../forms/opening.tsx';
import { today } from '../page/day.ts';
import { useIsPhone } from '../page/screen.ts';
import { ListAddress } from '../page/search.ts';
import { LeaveForm, RoleUntilForm } from './ending-forms.tsx';
import { useReachChoice } from './person-reach.tsx';

/** The actions on an employee that the account manages. */
export function PersonActions({ employee }: { employee: Versioned<Employee> }) {
	const { id, name } = employee;
	const isOwn = isSelf(useOwn(), id);
	// On a phone, the button within reach of the thumb is the one that a store needs most.
	const edits = !useIsPhone() || isOwn;
	const open = useOpenAbove();
	const rare = useChoices(employee, isOwn).map(({ form, ...item }) => ({ ...item, choose: () => open(form) }));
	return (
		<>
			<FormButton type={edits ? 'primary' : 'default'} form={<EmployeeForm employee={employee} />}>
				编辑
			</FormButton>
			{!isOwn && (
				<FormButton
					type={edits ? 'default' : 'primary'}
					form={<ChangeForm action={actions.reset} ids={[id]} name={name} />}
				>
					重置密码
				</FormButton>
			)}
			<MenuButton items={rare} icon={<DownOutlined aria-hidden />} iconPlacement="end">
				更多操作
			</MenuButton>
		</>
	);
}

/** The rare actions. People cannot change last days in their own account, or remove their own second factor here. */
function useChoices(employee: Versioned<Employee>, isOwn: boolean): MenuChoice[] {
	const { data: access } = useAccess(employee.id);
	const [, navigate] = useLocation();
	const addressOf = useContext(ListAddress);
	const { id, name, status, leavesOn, lastSignInAt } = employee;
	/** Whatever a colleague has changed meanwhile, it is no reason to ask again. */
	const end = (what: 'sign-ins' | 'second-factor') => () => done(api.employees({ id })[what].delete());
	const isActive = isWorking[status];
	const isStillLeaving = leavesOn != null && !isOver(leavesOn, today());
	/** A change with a form, as in the lists. */
	const change = (action: Action, effect: string, onDone?: () => void): MenuChoice => ({
		verb: action.verb,
		effect,
		form: <ChangeForm action={action} ids={[id]} name={name} onDone={onDone} />,
	});
	/** An action with a confirmation. */
	const ask = (verb: string, effect: string, run: () => Promise<unknown>, isDangerous = true): MenuChoice => {
		const question = { title: `${verb}：“${name}”`, effect: `${effect}。`, verb, run, isDangerous };
		return { verb, effect, form: <Confirm targetType="EMPLOYEE" {...question} /> };
	};
	const stay = () => oneEmployee.change(employee, { leavesOn: null });
	const form = <LeaveForm employee={employee} />;
	const leaving: MenuChoice[] = leavesOn
		? [
				{ verb: '修改最后工作日', effect: `现在是 ${leavesOn}`, form },
				ask('撤销离职', `最后工作日 ${leavesOn} 将清空`, stay, false),
			]
		: [{ verb: '离职', effect: '设定最后工作日，当天结束后自动禁用', form }];
	const ofOthers = [
		{ verb: '限期角色', effect: '临时给一个角色，到期自动移除', form: <RoleUntilForm employee={employee} /> },
		useReachChoice(employee),
		isActive && ask('结束登录', '在所有电脑和手机上退出，之后可以重新登录', end('sign-ins')),
		access?.hasSecondFactor &&
			ask('移除两步验证', '丢失手机且没有恢复码时使用，之后只用密码登录', end('second-factor')),
	];
	const disabling = change(actions.disable, '暂时离开时使用：立即不能登录，随时可以启用');
	const kept = leavesOn && !isStillLeaving ? '最后工作日清空' : '资料和角色不变';
	const enabling = change(actions.enable, `账号重新启用，${kept}`);
	const toList = () => navigate(addressOf('/employees'));
	const deleting = change(actions.delete, '录入有误或不再需要时使用：从列表中移除，以后可以返岗', toList);
	const choices = [
		...(!isOwn && (isActive || isStillLeaving) ? leaving : []),
		isActive ? disabling : enabling,
		...(isOwn ? [] : ofOthers),
		// An employee who worked here leaves. Deleting is for those who never signed in, or have left.
		(!isActive || !lastSignInAt) && { ...deleting, isRed: true },
	];
	return choices.filter((choice) => choice !== false && choice !== undefined);
}
