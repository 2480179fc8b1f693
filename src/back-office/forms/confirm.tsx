import type { ReactNode } from 'react';
import { FormDrawer } from './form-drawer.tsx';
import { useSubmit } from './submit.ts';

/** What is asked before something happens. */
interface Question<Result> {
	title: string;
	/** The effect, with numbers. */
	effect: ReactNode;
	verb: string;
	run(): Promise<Result>;
	/** The message afterwards; without it, that this was done. */
	success?: string;
	onDone?: (result: Result) => void;
	/** Whether it takes something away. */
	isDangerous?: boolean;
}

/** Asks for a confirmation, then acts. */
export function Confirm<Result>({ run, success, onDone, ...question }: Question<Result>) {
	const { title, effect, verb, isDangerous = true } = question;
	const submission = useSubmit(run, () => success ?? `已${verb}`, onDone);
	// What it says may be out of date then: the page behind it shows the present state, and asks again.
	const isBlocked = submission.problem?.status === 412;
	return (
		<FormDrawer isSmall {...{ title, isDangerous }} submission={{ ...submission, isBlocked }} submitText={verb}>
			{effect}
		</FormDrawer>
	);
}
