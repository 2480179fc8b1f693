/** The reasons of refusals, for programs. The list is closed: a published reason keeps its word and its parameters. */

/** The numbers and names that a reason can have, as JSON Schema. */
export const reasonParameters = {
	limit: { type: 'integer', description: 'The most that is allowed.', examples: [50] },
	minimum: { type: 'integer', description: 'The least that is allowed.', examples: [8] },
	count: { type: 'integer', description: 'How many there are.', examples: [3] },
	line: { type: 'integer', description: 'The line of the file or of the body.', examples: [7] },
	column: { type: 'integer', description: 'The character in the line.', examples: [12] },
	expected: { type: 'string', description: 'What is allowed there, in English.', examples: ['integer'] },
	permission: { type: 'string', description: 'The permission that is missing.', examples: ['employee:manage'] },
	permissions: {
		type: 'array',
		items: { type: 'string' },
		description: 'Permissions; each of them would do.',
		examples: [['store:view']],
	},
	allowed: {
		type: 'array',
		items: { type: 'string' },
		description: 'What is allowed: each of these.',
		examples: [['ACTIVE', 'INACTIVE']],
	},
	missing: {
		type: 'array',
		items: { type: 'string' },
		description: 'The rights that the caller lacks, or has only until a day: permissions, stores and areas by id.',
		examples: [['employee:manage', 'store 2', 'area 1']],
	},
} as const;

interface Types {
	integer: number;
	string: string;
	array: readonly string[];
}

/** The parameters by name. */
export type ReasonParameters = {
	[Name in keyof typeof reasonParameters]: Types[(typeof reasonParameters)[Name]['type']];
};

/** Every reason with its English text. The braces in a text are the parameters of the reason. */
export const reasons = {
	// The form of a request.
	invalid_request: 'The request is not in the form that the document asks for; the details say where.',
	required: 'It is missing.',
	wrong_type: 'It has the wrong type. Expected: {expected}.',
	wrong_format: 'It is not in the right form. Expected: {expected}',
	not_one_of: 'It is none of the allowed values: {allowed}.',
	out_of_range: 'It must be from {minimum} to {limit}.',
	too_short: 'It needs at least {minimum} characters.',
	too_long: 'It has more than {limit} characters.',
	blank: 'It needs at least one visible character.',
	control_character: 'It has a line break or another character that is not allowed there.',
	hidden_character: 'It has a character that nobody sees.',
	too_few: 'It needs at least {minimum} entries.',
	too_many: 'It has more than {limit} entries.',
	repeated: 'An entry is there twice.',
	needs_one_field: 'It needs at least one of the fields {allowed}.',
	takes_one_field: 'It takes exactly one of the fields {allowed}.',
	wrong_content_type: 'The Content-Type must be one of {allowed}.',
	bad_host: 'The Host header is missing or malformed.',
	body_too_large: 'The body has more than {limit} bytes.',
	upload_incomplete: 'The file did not arrive completely.',
	unknown_path: 'There is no such path.',
	other_path: 'There is no such path; it is probably {expected}.',
	wrong_method: 'The path does not take this method. Allowed: {allowed}.',
	encoded_body: 'The body must not be compressed. Leave out Content-Encoding.',
	not_utf8: 'The body is not UTF-8.',
	invalid_json: 'The body is no JSON.',
	invalid_json_at: 'The body is no JSON: see line {line}, column {column}.',

	// The caller.
	token_missing: 'Send the header "Authorization: Bearer <token>".',
	token_invalid: 'The token is not one of this service, or was ended by a restore.',
	token_expired: 'The token has expired. Sign in again.',
	token_ended: 'The token was ended by a sign-out or a new password. Sign in again.',
	renewal_over: 'The sign-in is twelve hours old. Sign in again.',
	account_gone: 'The account of the token was deleted.',
	key_invalid: 'The key is not known: it is wrong, was deleted, or was ended by a restore.',
	key_ended: 'The key has expired or was replaced. Ask for another one.',
	wrong_credentials: 'The username or the password is wrong.',
	password_expired: 'The one-time password has expired. Ask for another one.',
	second_factor_code_required: 'Send the code of the second factor, too.',
	wrong_code: 'The code is wrong.',
	account_disabled: 'The account is disabled.',
	store_disabled: 'The store of the account is disabled.',
	no_back_office: 'The account has no permission of the back office.',
	own_password_required: 'Set an own password first.',
	second_factor_required: 'Turn on the second factor first.',
	missing_permission: 'The permission {permission} is missing.',
	missing_any_permission: 'One of these permissions is needed: {permissions}.',
	missing_own_point: 'A permission that the chain made itself is needed.',
	not_for_programs: 'Only people may do this, no program.',
	not_for_one_store: 'A program that is confined to a store may not do this.',
	only_for_employees: 'Only employees may do this.',
	too_many_attempts: 'Too many attempts. Try again after Retry-After.',

	// Rights over others.
	out_of_reach: 'The caller does not reach the store of this employee.',
	missing_rights: 'The caller lacks rights that this needs, or has them only until a day: {missing}.',
	missing_own_permission: 'Nobody gives themselves permissions that they lack: {permissions}.',
	own_account: 'Nobody may do this to their own account.',
	area_given: 'Employees were given this area, so only someone who reaches the store for good may add it.',
	permission_withheld: 'No program may hold this permission.',

	// What is stored.
	not_found: 'There is no such thing.',
	not_unique: 'Another one has it already.',
	limit_reached: 'There are {limit} already, and no more are possible.',
	in_use: 'It is in use by {count} employees.',
	built_in: 'It is built in and stays as it is.',
	reserved: 'It belongs to the program itself.',
	last_one: 'The last one stays.',
	is_phone: 'It must not be a mobile number.',
	changed: 'Somebody else changed it in the meantime.',
	store_not_found: 'There is no such store.',
	store_inactive: 'The store is disabled.',
	store_is_own: 'It is the store itself, or the own store of the employee.',
	store_required: 'It needs a store.',
	store_not_allowed: 'It takes no store.',
	role_not_found: 'There is no such role.',
	area_not_found: 'There is no such area.',
	permission_not_found: 'There is no such permission.',
	day_over: 'The day is over.',
	day_too_late: 'The day is more than a year ahead.',
	not_deleted: 'It is not deleted.',
	nothing_to_undo: 'There is nothing to undo.',
	too_late: 'It is older than {limit} hours.',
	some_refused: '{count} of them cannot be changed, so nothing was changed.',

	// Passwords, second factors and approvals.
	wrong_password: 'The password is wrong.',
	common_password: 'The password is easy to guess.',
	personal_password: 'The password is made of the phone, the name or the name of a store.',
	shared_password: 'Others know this password.',
	same_password: 'It is the one-time password.',
	second_factor_on: 'The second factor is on.',
	second_factor_off: 'The second factor is off.',
	second_factor_not_started: 'Ask for the secret of the second factor first.',
	second_factor_unreadable: 'Codes cannot be checked now. Send a recovery code.',
	approver_lacks_permission: 'The approver lacks the permission, or does not reach the store.',

	// Files.
	file_unreadable: 'The file is not a readable CSV or XLSX file.',
	line_unreadable: 'Line {line} of the CSV file cannot be read.',
	encoding_unknown: 'The text is neither UTF-8 nor GB18030.',
	old_format: 'It is an old XLS file, or an encrypted one.',
	too_many_lines: 'The file has more than {limit} lines.',
	too_many_columns: 'The file has more than {limit} columns.',
	file_too_complex: 'The file holds too much.',
	no_lines: 'The file has no lines below its headings.',
	headings_missing: 'No row has all headings. Missing: {allowed}.',
	heading_repeated: 'The heading {expected} is there twice.',
	problems_found: 'The file has {count} problems; the details say where.',
	cell_without_heading: 'The line has more cells than headings. Quote a text with commas.',
	cell_merged: 'The cell is merged with others.',
	cell_formula: 'The cell is a formula. Use its text.',
	cell_date: 'The cell is a date. Use its text.',
	cell_error: 'The cell is an error.',
	number_shortened: 'The spreadsheet shortened the number. Format the column as text.',
	same_as_line: 'Line {line} has the same.',
	ambiguous_name: 'Several have this name. Use the code.',
	id_of_another: 'The id is that of another one than the name and the phone.',

	// The service.
	busy: 'The service is busy. Try again after Retry-After.',
	too_many_waiting: 'More than {limit} requests wait already.',
	database_unavailable: 'The database cannot be reached.',
	cannot_save: 'Nothing can be saved now. Try again later.',
	internal_error: 'An error of the service. The log has it under the X-Request-Id.',
} as const;
export type ReasonCode = keyof typeof reasons;
export const reasonCodes = Object.keys(reasons) as ReasonCode[];

/** Why something is refused: the word and its parameters for programs, and the Chinese message for end users. */
export interface Reason extends Partial<ReasonParameters> {
	reason: ReasonCode;
	message: string;
}

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ParametersOf<Code extends ReasonCode> = Pick<
	ReasonParameters,
	Extract<NamesIn<(typeof reasons)[Code]>, keyof ReasonParameters>
>;

/** Makes a reason; its parameters are those in its English text. */
export function because<Code extends ReasonCode>(
	reason: Code,
	message: string,
	...[parameters]: keyof ParametersOf<Code> extends never ? [] : [ParametersOf<Code>]
): Reason {
	return { reason, message, ...(parameters as Partial<ReasonParameters> | undefined) };
}

/** The text of a reason: its Chinese message, or the English text with its parameters. */
export function textOf({ reason, message, ...parameters }: Reason, isEnglish: boolean): string {
	if (!isEnglish) return message;
	return reasons[reason].replace(/\{(\w+)\}/g, (_, name: keyof ReasonParameters) =>
		[parameters[name]].flat().join(', '),
	);
}
