import { Checkbox, Tag } from 'antd';
import { type PermissionCode, withDependencies } from '../../platform/vocabulary/permissions.ts';
import { useDefinitions } from './permission-queries.ts';

interface BoxesProps {
	/** The chosen points, from the form. */
	value?: readonly PermissionCode[];
	onChange?(codes: readonly PermissionCode[]): void;
	/** Whether a point can be chosen. Without it, all can. */
	isOffered?(code: PermissionCode): boolean;
}

/**
 * A form field with the permission points by group. It shows the points that a chosen point includes. A chosen point that a
 * colleague has deleted stays until it is unchecked, under its code.
 */
export function PointBoxes({ value = [], onChange, isOffered = () => true }: BoxesProps) {
	const { groups, permissions: known } = useDefinitions();
	const unknown = value.filter((chosen) => known.every(({ code }) => code !== chosen));
	const others = unknown.map((code) => ({ code, title: code, description: '' }));
	const resulting = withDependencies(value);
	const toggle = (code: PermissionCode, isOn: boolean) =>
		onChange?.(isOn ? [...value, code] : value.filter((each) => each !== code));
	return [...groups, { key: '', title: '其他', permissions: others }].map(({ key, title, permissions }) => {
		const offered = permissions.filter(({ code }) => isOffered(code));
		if (offered.length === 0) return null;
		return (
			<fieldset key={key} className="points">
				<legend>{title}</legend>
				{offered.map(({ code, title, description }) => {
					const isImplied = resulting.includes(code) && !value.includes(code);
					return (
						<Checkbox
							key={code}
							checked={resulting.includes(code)}
							disabled={isImplied}
							onChange={({ target }) => toggle(code, target.checked)}
						>
							{title}
							{isImplied && <Tag>自动包含</Tag>}
							{description && <small>{description}</small>}
							{isImplied && code === 'employee:view:all' && <small>只限本店时，请再勾选下一项</small>}
						</Checkbox>
					);
				})}
			</fieldset>
		);
	});
}
