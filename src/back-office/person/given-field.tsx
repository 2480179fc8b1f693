import { Button } from 'antd';
import { today } from '../page/day.ts';
import { DayField } from '../page/day-field.tsx';
import { ChoiceSelect } from '../page/name-search.tsx';
import type { Given } from './reach-queries.ts';

interface Props {
	id?: string | undefined;
	value?: Given[];
	onChange?(value: Given[]): void;
	placeholder: string;
	/** The stores and areas that the account may give. */
	choices: readonly Given[];
}

/** Stores or areas, each for good or until a day. */
export function GivenField({ id, value = [], onChange, placeholder, choices }: Props) {
	const options = choices.filter((choice) => !value.some((given) => given.id === choice.id));
	return (
		<>
			<ul className="holders">
				{value.map((given) => (
					<li key={given.id}>
						<span>{given.name} </span>
						<DayField
							aria-label={`“${given.name}”的到期日`}
							prefix="到期日"
							placeholder="长期"
							value={given.until ?? ''}
							min={today()}
							onChange={(day) =>
								onChange?.(value.map((each) => (each === given ? { ...given, until: day || null } : each)))
							}
						/>
						<Button
							aria-label={`移除“${given.name}”`}
							onClick={() => onChange?.(value.filter((each) => each !== given))}
						>
							移除
						</Button>
					</li>
				))}
			</ul>
			<ChoiceSelect
				{...(id && { id })}
				value={null}
				placeholder={placeholder}
				options={options}
				onChange={(chosen: number | null) => {
					const choice = choices.find((each) => each.id === chosen);
					if (choice) onChange?.([...value, choice]);
				}}
			/>
		</>
	);
}
