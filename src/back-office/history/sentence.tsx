import { Link } from 'wouter';
import type { ShownRecord } from '../../history/model.ts';
import { type Reference, type Sentence, sentenceOf } from '../../history/sentence.ts';

const folders: Record<Reference['type'], string> = { STORE: 'stores', ROLE: 'roles', EMPLOYEE: 'employees' };

/** A sentence with links to people, stores and roles that still exist. */
export function Linked({ parts }: { parts: Sentence }) {
	let start = 0;
	return parts.map((part) => {
		const text = typeof part === 'string' ? part : part.text;
		const key = `${start} ${text}`;
		start += text.length;
		if (typeof part === 'string') return <span key={key}>{part}</span>;
		return (
			<Link key={key} href={`/${folders[part.type]}/${part.id}`} className="in-text">
				{part.text}
			</Link>
		);
	});
}

/** What a record says. @param asGroup whether it stands for all records of its request. */
export function SentenceOf({ record, asGroup = false }: { record: ShownRecord; asGroup?: boolean }) {
	return (
		<span className="sentence">
			<Linked parts={sentenceOf(record, { asGroup })} />
		</span>
	);
}
