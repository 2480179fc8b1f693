import type { ComponentProps, ReactNode } from 'react';
import { FormDrawer } from './form-drawer.tsx';
import { useSubmit } from './submit.ts';

/** The question before an action. */
interface Question<Result> extends Pick<ComponentProps<typeof FormDrawer>, 'title' | 'targetType' | 'isDangerous'> {
	/** The effect, with numbers. */
	effect: ReactNode;
	verb: string;
	run(): Promise<Result>;
	/** The message afterwards. Without it, the message is that the action was done. */
	success?: string;
	onDone?: (result: Result) => void;
}

type DeletionProps = Record<'noun' | 'name', string> & Pick<Question<void>, 'effect' | 'run' | 'onDone'>;

/** Asks before something with a name is deleted. */
export function Deletion({ noun, name, ...more }: DeletionProps) {
	return <Confirm title={`删除${noun}“${name}”？`} verb="删除" success={`${noun}已删除`} {...more} />;
}

/** Asks for a confirmation, then acts. Most such actions take something away. */
export function Confirm<Result>({ effect, verb, run, success = `已${verb}`, onDone, ...question }: Question<Result>) {
	const submission = useSubmit(run, { success, onDone });
	// The question may be outdated then. The page behind it shows the present state, and the person can ask again.
	const isBlocked = submission.problem?.status === 412;
	return (
		<FormDrawer isSmall isDangerous {...question} submission={submission} isBlocked={isBlocked} submitText={verb}>
			{effect}
		</FormDrawer>
	);
}
