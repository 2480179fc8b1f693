/** The reasons of refusals, for programs. The list is closed: a published reason keeps its word and its parameters. */

const texts = (description: string, ...example: string[]) =>
	({ type: 'array', items: { type: 'string' }, description, examples: [example] }) as const;

/** The numbers and names that a reason can have, as JSON Schema. */
export const reasonParameters = {
	limit: { type: 'integer', description: 'The maximum.', examples: [50] },
	minimum: { type: 'integer', description: 'The minimum.', examples: [8] },
	count: { type: 'integer', description: 'The number of them.', examples: [3] },
	line: { type: 'integer', description: 'The line of the file or of the body.', examples: [7] },
	column: { type: 'integer', description: 'The character in the line.', examples: [12] },
	expected: { type: 'string', description: 'The accepted values, in English.', examples: ['integer'] },
	permission: { type: 'string', description: 'The permission that is missing.', examples: ['employee:manage'] },
	permissions: texts(
		'The permissions of which one is enough; for missing_own_permission, those that the caller lacks.',
		'store:view',
	),
	allowed: texts('The allowed values.', 'ACTIVE', 'INACTIVE'),
	missing: texts(
		'The rights that the caller lacks, or has only until a day: permissions, stores and areas by id, at most 20.',
		'employee:manage',
		'store 2',
		'area 1',
	),
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
	invalid_request: 'The request does not have the form that the document asks for; the details say where.',
	required: 'It is required.',
	wrong_type: 'It has the wrong type. Expected: {expected}.',
	wrong_format: 'It is not in the right form. Expected: {expected}',
	not_one_of: 'It must be one of: {allowed}.',
	out_of_range: 'It must be from {minimum} to {limit}.',
	too_short: 'It has fewer than {minimum} characters.',
	too_long: 'It has more than {limit} characters.',
	blank: 'It needs a visible character.',
	control_character: 'It has a line break or a control character.',
	hidden_character: 'It has an invisible character.',
	too_few: 'It has too few entries. The minimum is {minimum}.',
	too_many: 'It has more than {limit} entries.',
	repeated: 'It has the same entry twice.',
	needs_one_field: 'It needs at least one of these fields: {allowed}.',
	takes_one_field: 'It takes exactly one of these fields: {allowed}.',
	wrong_content_type: 'The Content-Type must be one of: {allowed}.',
	bad_host: 'The Host header is missing or malformed.',
	body_too_large: 'The body has more than {limit} bytes.',
	upload_incomplete: 'The body did not arrive completely.',
	unknown_path: 'There is no such path.',
	other_path: 'There is no such path; it is probably {expected}.',
	wrong_method: 'The path does not take this method. Allowed: {allowed}.',
	encoded_body: 'The body must not be compressed. Leave out Content-Encoding.',
	not_utf8: 'The body is not UTF-8.',
	invalid_json: 'The body is not JSON.',
	invalid_json_at: 'The body is not JSON: see line {line}, column {column}.',

	// The caller.
	token_missing: 'Send the token in the header Authorization, after the word Bearer.',
	token_invalid: 'This service did not issue the token, or a restore of its data ended it.',
	token_expired: 'The token has expired. Sign in again.',
	token_ended: 'A sign-out or a new password ended the token. Sign in again.',
	renewal_over: 'The sign-in is twelve hours old. Sign in again.',
	account_gone: 'The account of the token is deleted.',
	key_invalid:
		'This service does not know the key. It is wrong, was deleted or replaced twice, or a restore of the data ended it.',
	key_ended: 'The key has expired or was replaced. Ask for another one.',
	wrong_credentials: 'The username or the password is wrong.',
	password_expired: 'The one-time password has expired. Ask for another one.',
	second_factor_code_required: 'Send the code of the second factor as well.',
	wrong_code: 'The code is wrong.',
	account_disabled: 'The account is disabled.',
	store_disabled: 'The store of the account is disabled.',
	no_back_office: 'The account has no permission for the back office.',
	own_password_required: 'Set a password of your own first.',
	second_factor_required: 'Turn on the second factor first.',
	missing_permission: 'You need the permission {permission}.',
	missing_any_permission: 'You need one of these permissions: {permissions}.',
	missing_own_point: 'You need a permission that the chain defined itself.',
	not_admitted: 'The account cannot sign in to this program.',
	other_site: 'Only the sign-in page itself can do this.',
	not_for_programs: 'Only people can do this, not programs.',
	not_for_one_store: 'A program that is confined to a store cannot do this.',
	only_for_employees: 'Only employees can do this.',
	too_many_attempts: 'Too many attempts. Try again after Retry-After.',

	// Rights over others.
	out_of_reach: 'You do not reach the store of this employee.',
	missing_rights: 'You lack rights that this requires, or have them only until a day: {missing}.',
	missing_own_permission: 'You cannot give yourself permissions that you lack: {permissions}.',
	own_account: 'You cannot do this to your own account.',
	area_given: 'Employees have this area, so you must reach the store for good to add it.',
	permission_withheld: 'A program cannot have this permission.',

	// Stored data.
	not_found: 'It does not exist.',
	not_unique: 'It is already taken.',
	former_elsewhere: 'A deleted employee of a store that you do not reach had it.',
	limit_reached: 'There are {limit} already, which is the maximum.',
	in_use: 'It is still in use. Employees: {count}.',
	required_by_program: 'A program asks people for it when they sign in. Change that first.',
	built_in: 'It is built in and cannot be changed.',
	reserved: 'It belongs to the program itself.',
	// No answer has it any more. It stays, because the list only grows.
	last_one: 'The last one must stay.',
	is_phone: 'It must not be a mobile number.',
	changed: 'Somebody else changed it meanwhile.',
	store_not_found: 'The store does not exist.',
	store_inactive: 'The store is disabled.',
	store_is_own: 'Choose another store.',
	store_required: 'A store is required.',
	store_not_allowed: 'A store is not allowed.',
	role_not_found: 'The role does not exist.',
	area_not_found: 'The area does not exist.',
	permission_not_found: 'The permission does not exist.',
	purpose_required: 'A program needs a permission or an address for sign-ins.',
	no_key: 'A program without permissions has no key.',
	no_secret: 'Only a program for sign-ins that can keep a secret has one.',
	day_required: 'A program with permissions needs a last day.',
	day_over: 'The day is in the past.',
	day_too_late: 'The day is more than a year ahead.',
	not_deleted: 'It is not deleted.',
	nothing_to_undo: 'There is nothing to undo.',
	too_late: 'It was more than {limit} hours ago.',
	some_refused: 'Nothing was changed. Refused: {count}.',

	// Passwords, second factors and approvals.
	wrong_password: 'The password is wrong.',
	common_password: 'The password is easy to guess.',
	personal_password: 'The password contains the phone, the name or the name of the chain.',
	shared_password: 'More than one person knows this password.',
	same_password: 'The new password is the one-time password.',
	second_factor_on: 'The second factor is already on.',
	second_factor_off: 'The second factor is off.',
	second_factor_not_started: 'Request the secret of the second factor first.',
	second_factor_unreadable: 'Codes cannot be checked now. Use a recovery code.',
	approver_lacks_permission: 'The approver lacks the permission, or neither works in the store nor reaches it.',

	// Files.
	file_unreadable: 'The file is not a readable CSV or XLSX file.',
	line_unreadable: 'Line {line} of the CSV file cannot be read.',
	encoding_unknown: 'The text is neither UTF-8 nor GB18030.',
	old_format: 'It is an old XLS file or an encrypted file.',
	too_many_lines: 'The file has more than {limit} lines.',
	too_many_columns: 'The file has more than {limit} columns.',
	file_too_complex: 'The file is too complex. Keep only the lines to import.',
	no_lines: 'The file has no lines below its headings.',
	headings_missing: 'No row has all headings. Missing: {allowed}.',
	heading_repeated: 'The heading of {expected} occurs twice.',
	problems_found: 'Nothing was imported. Problems: {count}; the details say where.',
	cell_without_heading: 'The line has more cells than headings. Quote texts that contain commas.',
	cell_merged: 'Cells are merged.',
	cell_formula: 'The cell is a formula. Use text.',
	cell_date: 'The cell is a date. Use text.',
	cell_error: 'The cell holds an error.',
	number_shortened: 'The spreadsheet shortened the number. Format the column as text.',
	same_as_line: 'Line {line} has the same value.',
	ambiguous_name: 'Several have this name. Use the code.',
	id_of_another: 'The id belongs to a different person than the rest of the line.',

	// The service.
	busy: 'The service is busy. Try again after Retry-After.',
	too_many_waiting: '{limit} requests are waiting already. Try again later.',
	database_unavailable: 'The database cannot be reached.',
	cannot_save: 'Nothing can be saved now. Try again later.',
	internal_error: 'The service has a problem. The log describes it under the X-Request-Id.',
} as const;
export type ReasonCode = keyof typeof reasons;
export const reasonCodes = Object.keys(reasons) as ReasonCode[];

/** A reason for a refusal: its word and parameters for programs, and its Chinese message for end users. */
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
