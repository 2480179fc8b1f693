import { useMutation, useQueryClient } from '@tanstack/react-query';
import { App, Form, type FormInstance } from 'antd';
import { asRefusal, type Refusal } from '../api/refusal.ts';
import { useOpened } from './opening.tsx';

/** A form that is sent to the server. */
export interface Submission<Values> {
	form: FormInstance<Values>;
	submit(values: Values): void;
	isPending: boolean;
	/** A refusal that names no field of the form. */
	problem: Refusal | undefined;
	/** Forgets the refusal, once the form is about something else. */
	forget(): void;
}

/**
 * Shows a wrong field in the middle of its form, because its message, which appears below it, could be out of sight. The
 * page behind the form stays.
 */
export const scrolling = {
	focus: true,
	block: 'center',
	scrollMode: 'always',
	boundary: (element: Element) => !element.matches('.ant-drawer, .ant-modal-wrap'),
} as const;

/** The steps after a form was sent. */
interface Outcome<Result> {
	/** The message; absent if something else reports the success. */
	success?: string | ((result: Result) => string);
	onDone?: ((result: Result) => void) | undefined;
}

/** Sends a form. Each of the server's `details` is shown at its field. After a success the form closes with a message. */
export function useSubmit<Values extends object, Result>(
	send: (values: Values) => Promise<Result>,
	{ success, onDone }: Outcome<Result>,
): Submission<Values> {
	const [form] = Form.useForm<Values>();
	const { onClose } = useOpened();
	const { message } = App.useApp();
	const client = useQueryClient();
	const { mutate, reset, isPending, error } = useMutation({
		mutationFn: send,
		onSuccess(result) {
			const text = typeof success === 'function' ? success(result) : success;
			// For as many seconds as reading it takes.
			if (text !== undefined) void message.success(text, Math.max(3, text.length / 5));
			onClose();
			onDone?.(result);
		},
		onError(failure) {
			const refusal = asRefusal(failure);
			// The page behind it, and the choices, show what a colleague has changed or deleted.
			if (refusal.status === 412 || refusal.status === 404 || refusal.has('not_one_of'))
				void client.invalidateQueries();
			showAtFields(form, refusal);
		},
	});
	const refusal = error ? asRefusal(error) : undefined;
	return {
		form,
		submit: (values) => isPending || mutate(values),
		isPending,
		problem: refusal && !isShownElsewhere(form, refusal) ? refusal : undefined,
		forget: reset,
	};
}

/**
 * The details of a refusal by the field that a path such as `body.roleIds.0` names; under undefined, those of no field of
 * the form. The values that a colleague has saved, in a 412, stand at no field.
 */
function detailsByField(form: FormInstance, { status, details }: Refusal) {
	const fields = status === 412 ? {} : form.getFieldsValue();
	return Map.groupBy(details, ({ path = '' }) => {
		const [place, name = ''] = path.split('.');
		return place === 'body' && name in fields ? name : undefined;
	});
}

/** Whether the refusal is shown at the fields, by the sign-in, or by the notice of an outage. */
function isShownElsewhere(form: FormInstance, refusal: Refusal): boolean {
	if (refusal.status === 401 || refusal.isTemporary) return true;
	return refusal.details.length > 0 && !detailsByField(form, refusal).has(undefined);
}

/** The message, after the name of the employee if the field has several. */
function textOf({ name, message }: Refusal['details'][number]): string {
	return name === undefined ? message : `${name}：${message}`;
}

function showAtFields(form: FormInstance, refusal: Refusal): void {
	const byField = detailsByField(form, refusal);
	byField.delete(undefined);
	form.setFields(Array.from(byField, ([name, about]) => ({ name, errors: about.map(textOf) })));
	const [first] = byField.keys();
	if (first) form.scrollToField(first, scrolling);
}
