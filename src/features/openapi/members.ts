/** The descriptions of the members of answers and the length of their texts, where a schema does not state them. */
import type { Schema } from '../../platform/http/fields.ts';
import { mapMembers } from './schema.ts';

/** The members whose names do not say enough; `storeId` is described as "The store id." */
const descriptions: Readonly<Record<string, string>> = {
	success: 'Whether it worked.',
	data: 'The answer.',
	error: 'The failure.',
	items: 'The items of this page.',
	page: 'The number of this page, from 1.',
	pageSize: 'The maximum number of items on a page.',
	totalPages: 'The number of pages.',
	title: 'The title for people.',
	label: 'The text for people.',
	key: 'The name for programs.',
	database: 'Whether the database can be reached.',
	now: 'The time, in UTC with milliseconds.',
	tokenType: 'The kind of token, for the header `Authorization`.',
	expiresIn: 'The lifetime of the token.',
	roleDescription: 'The description of the role; empty without one.',
	isSystem: 'Whether the role is built in.',
	actions: 'The possible actions in the menu.',
	actionLabels: 'The text of each action, for people.',
	held: 'Whether the employee holds it.',
	redirectUris: 'The addresses to which people return after signing in.',
	signOutUris: 'The addresses to which people return after signing out.',
	isPublic: 'Whether it cannot keep a secret, like a page or an app.',
	after: 'The new value, or the value that it would have; null for an empty one.',
	count: 'Their number.',
	isDeleted: 'Whether it is deleted now.',
	scope: 'The part of the chain within reach.',
	view: 'The label for viewing.',
	create: 'The label for creating.',
	update: 'The label for updating.',
	delete: 'The label for deleting.',
	variant: 'The kind of tag to show.',
	first: 'The first row.',
	last: 'The last row.',
};

/**
 * More characters than any text of an answer has: a refusal can list all permissions. The bodies of requests have the
 * lengths of entered texts.
 */
const maxLength = 20_000;

const isNullable = ({ type }: Schema) => [type].flat().includes('null');

const isText = ({ type, enum: values, format, const: only }: Schema) =>
	[type].flat().includes('string') && !values && !format && only === undefined;

function inWords(name: string, schema: Schema): string {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return isNullable(schema) ? `The ${words}; null without one.` : `The ${words}.`;
}

/** A schema of an answer in which every member has a description, and every text its length. The entries of a list have none. */
export function describeMembers(schema: Schema, name = ''): Schema {
	return {
		...(name && { description: descriptions[name] ?? inWords(name, schema) }),
		...(isText(schema) && { maxLength }),
		...mapMembers(schema, describeMembers),
	};
}
