import { Alert, type GetRef, Radio } from 'antd';
import { useEffect, useRef } from 'react';

export type Side = 'mine' | 'theirs';

interface Candidate {
	value: unknown;
	/** The value in words, for a colleague's with the author and the time if they are known. */
	text: string;
}

/** A value that two people changed at the same time. The person must choose one. */
export interface Clash {
	name: string;
	/** The label of the field. */
	label: string;
	mine: Candidate;
	theirs: Candidate;
	kept?: Side;
}

interface Props {
	clashes: readonly Clash[];
	onTake(clash: Clash, kept: Side): void;
}

/** Shows both values of each clash, and lets the person choose one. */
export function Clashes({ clashes, onTake }: Props) {
	const panel = useRef<GetRef<typeof Alert>>(null);
	const isShown = clashes.length > 0;
	useEffect(() => {
		if (isShown) panel.current?.nativeElement.querySelector('input')?.focus();
	}, [isShown]);
	if (!isShown) return null;
	const isDecided = clashes.every(({ kept }) => kept);
	return (
		<Alert
			ref={panel}
			type={isDecided ? 'info' : 'warning'}
			role="alert"
			className="refusal"
			title={isDecided ? '已选择，请再次保存。' : '您填写的内容刚被他人修改。请选择保留哪一个，然后再次保存。'}
			description={clashes.map((clash) => (
				<fieldset key={clash.name} className="clash">
					<legend>{clash.label}</legend>
					<Radio.Group
						vertical
						value={clash.kept ?? null}
						onChange={({ target }) => onTake(clash, target.value)}
						options={[
							{ value: 'mine', label: `我的：${clash.mine.text}` },
							{ value: 'theirs', label: `对方的：${clash.theirs.text}` },
						]}
					/>
				</fieldset>
			))}
		/>
	);
}
