import type { ReactNode } from 'react';
import { FormDrawer } from './form-drawer.tsx';
import { type Submission, useSubmit } from './submit.ts';

/** The question before an action. */
interface Question<Result> extends Pick<Submission<object>, 'targetType'> {
	title: string;
	/** The effect, with numbers. */
	effect: ReactNode;
	verb: string;
	run(): Promise<Result>;
	/** The message afterwards. Without it, the message is that the action was done. */
	success?: string;
	onDone?: (result: Result) => void;
	/** Whether the action takes something away. */
	isDangerous?: boolean;
}

/** Asks for a confirmation, then acts. */
export function Confirm<Result>({ run, onDone, ...question }: Question<Result>) {
	const { title, effect, verb, targetType, success = `已${verb}`, isDangerous = true } = question;
	const submission = { ...useSubmit(run, { success, onDone }), targetType };
	// The question may be outdated then. The page behind it shows the present state, and the person can ask again.
	const isBlocked = submission.problem?.status === 412;
	return (
		<FormDrawer isSmall {...{ title, isDangerous }} submission={{ ...submission, isBlocked }} submitText={verb}>
			{effect}
		</FormDrawer>
	);
}
