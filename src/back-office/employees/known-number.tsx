/** Checks whether an employee has or had the typed phone number, so that a person who comes back stays one person. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Form } from 'antd';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { CreateEmployee, Employee } from '../../features/employees/model.ts';
import type { FormerEmployee } from '../../features/files/employees/model.ts';
import { readPhone } from '../../platform/vocabulary/phone.ts';
import { isWorking, statusLabels } from '../../platform/vocabulary/status.ts';
import { answer, api } from '../api/client.ts';
import { asRefusal, Refusal } from '../api/refusal.ts';
import { useOpened } from '../forms/opening.tsx';
import { Notice } from '../forms/refusal-alert.tsx';
import type { Submission } from '../forms/submit.ts';
import { dayOf } from '../page/day.ts';
import { passesOnFocus } from '../page/focus.ts';
import { openForms } from '../page/open-form.ts';

/** The holder of a phone number, and the deleted employee who had it last, as far as the account may see them. */
export function peopleOfNumber(phone: string) {
	async function find(filter: { deleted?: true }) {
		const query = { ...filter, keyword: phone, pageSize: 100, include: 'activity' as const };
		return (await answer(api.employees.get({ query }))).items.filter((person) => person.phone === phone);
	}
	return queryOptions({
		queryKey: ['employees', 'number', phone],
		async queryFn() {
			const [[holder], gone] = await Promise.all([find({}), find({ deleted: true })]);
			const former = gone.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt)).at(-1);
			return { holder, former: holder ? undefined : former };
		},
		// With an outdated answer the form would create the same person twice.
		staleTime: 0,
	});
}

/** The day on which a former employee left, and their store: `林超，2026-11-24 离职，曾在静安寺店`. */
export function formerlyAt({ name, storeName, leavesOn, ...gone }: Employee | FormerEmployee): ReactNode {
	const deletedOn = dayOf('deletedAt' in gone ? gone.deletedAt : gone.updatedAt);
	const hasLeft = leavesOn && leavesOn <= deletedOn;
	// After an Arabic name, the day would be in reverse order.
	return (
		<>
			<bdi>{name}</bdi>
			{`，${hasLeft ? `${leavesOn} 离职` : `${deletedOn} 删除`}，曾在`}
			<bdi>{storeName}</bdi>
		</>
	);
}

/**
 * Names the present holder of the number in the form of a new employee, or asks about the former one: whether to restore
 * them, or to hire somebody new with the same number.
 */
export function useKnownNumber(
	{ form, forget }: Pick<Submission<CreateEmployee>, 'form' | 'forget'>,
	isNew: boolean,
	onReturn: (former: Employee) => void,
) {
	const phone = readPhone(Form.useWatch('phone', form) ?? '');
	/** The former holder if the new employee is somebody else. */
	const [other, setOther] = useState<number>();
	/** The number if its former holder is one that the account may not see. */
	const elsewhere = useRef<string>(undefined);
	const { data } = useQuery({ ...peopleOfNumber(`${phone}`), enabled: isNew && phone !== undefined });
	const client = useQueryClient();
	const former = data?.former;
	const isUndecided = (person: Employee | undefined) => person !== undefined && person.id !== other;
	function hireNew() {
		setOther(former?.id);
		// The refusal of a 保存 before the decision no longer applies.
		forget();
	}
	return {
		/** Whether the question about the former holder is open. */
		isOpen: isUndecided(former),
		notice: (
			<>
				{data?.holder && <HolderAlert holder={data.holder} />}
				{former && (
					<Notice type="info" role="alert">
						<div tabIndex={-1}>
							<p>这个手机号的原员工：{formerlyAt(former)}</p>
							{isUndecided(former) ? (
								<span ref={passesOnFocus} className="line">
									<Button type="primary" onClick={() => onReturn(former)}>
										返岗
									</Button>
									<Button onClick={hireNew}>不是同一个人，新增员工</Button>
								</span>
							) : (
								'将新增为另一名员工'
							)}
						</div>
					</Notice>
				)}
			</>
		),
		/**
		 * Hires an employee, unless the number was a former employee's and the question is open. A button answers it, or a
		 * second 保存 if the account may not see them.
		 * @throws Refusal
		 */
		async hire(values: CreateEmployee) {
			const { phone } = values;
			if (isUndecided((await client.fetchQuery(peopleOfNumber(phone))).former))
				throw new Refusal(409, { message: '请先选择返岗，或新增为另一名员工', details: [] });
			const query = elsewhere.current === phone ? {} : { former: 'refuse' as const };
			return answer(api.employees.post(values, { query })).catch((error) => {
				if (asRefusal(error).has('former_elsewhere')) elsewhere.current = phone;
				throw error;
			});
		},
	};
}

/** Names the holder of a number, with a link that closes the form. */
export function HolderAlert({ holder: { id, name, storeName, status } }: { holder: Employee }) {
	const { onClose } = useOpened();
	const [, navigate] = useLocation();
	const href = `/employees/${id}`;
	function follow(event: MouseEvent) {
		event.preventDefault();
		const form = openForms.get().at(-1);
		form?.latest().leave(() => {
			onClose();
			navigate(href);
		});
	}
	const obstacle = isWorking[status] ? '' : `，账号已${statusLabels[status]}`;
	return (
		<Notice type="warning" role="alert">
			<Link href={href} onClick={follow} className="in-text">
				“{name}”
			</Link>
			{`（${storeName}${obstacle}）正在使用这个手机号`}
		</Notice>
	);
}
