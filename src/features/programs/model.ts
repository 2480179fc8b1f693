import { type SchemaOptions, type Static, Type } from '@sinclair/typebox';
import {
	atLeastOne,
	body,
	checked,
	choice,
	codeList,
	described,
	nullable,
	nullableDay,
	nullableInteger,
	nullableText,
	optionalId,
	parameters,
	shape,
	uniqueName,
} from '../../platform/http/fields.ts';
import { nullableTimestamp, timestampFields } from '../../platform/http/reply.ts';
import { codePattern, type PermissionCode, withheldFromPrograms } from '../../platform/vocabulary/permissions.ts';
import { because } from '../../platform/vocabulary/reasons.ts';
import { isRedirectUri, redirectPattern } from './redirect.ts';

/** The maximum number of programs. */
export const maxPrograms = 100;

/** Messages to end users about programs. */
export const programMessages = {
	notFound: because('not_found', '接入程序不存在'),
	nameTaken: because('not_unique', '接入程序名称已存在'),
	limitReached: because('limit_reached', `接入程序数量已达上限（${maxPrograms} 个）`, { limit: maxPrograms }),
	needsStore: because('store_required', '只查看本店员工的程序须指定一家门店'),
	takesNoStore: because('store_not_allowed', '能查看全部员工或不查看员工的程序不能指定门店'),
	badStore: because('store_not_found', '指定的门店不存在或已删除'),
	over: because('day_over', '程序到期日不能早于今天'),
	tooFar: because('day_too_late', '程序到期日最远为一年后的今天'),
	withheld: because('permission_withheld', '程序不能有管理角色和分配权限的权限'),
	needsDay: because('day_required', '有权限的程序须有到期日'),
	needsPurpose: because('purpose_required', '须选择至少一项权限，或填写登录后返回的地址'),
	needsNoKey: because('no_key', '没有权限的程序不用密钥'),
	needsNoSecret: because('no_secret', '只有用登录且能保密的程序才有登录密钥'),
} as const;

const maxAddresses = 20;

function addresses(description: string, example: string) {
	const items = { type: 'string', maxLength: 500, pattern: redirectPattern };
	return checked<string[]>(
		{
			type: 'array',
			items,
			maxItems: maxAddresses,
			uniqueItems: true,
			error: `须为最多 ${maxAddresses} 个不重复的地址：以 https:// 开头，或 http://127.0.0.1、http://[::1]，不含 #`,
			description: `${description} At most ${maxAddresses}, each https, or http on 127.0.0.1 or [::1], where any port will do.`,
			examples: [[example]],
		},
		(value) =>
			Array.isArray(value) &&
			value.length <= maxAddresses &&
			value.every((each) => typeof each === 'string' && each.length <= 500 && isRedirectUri(each)) &&
			new Set(value).size === value.length,
	);
}

function nullableCode(options: SchemaOptions) {
	const published = { ...options, type: 'string', pattern: isCode.source };
	return nullable(checked<PermissionCode>(published, (value) => typeof value === 'string' && isCode.test(value)));
}

const isCode = new RegExp(`^${codePattern}$`);

const changeable = {
	name: uniqueName(50, '工资系统'),
	permissions: codeList(
		`The permissions of its key: codes of the definitions except ${[...withheldFromPrograms].join(' and ')}; codes that ` +
			'they depend on are added. Without any, it has no key and needs redirectUris.',
		[['employee:view:all', 'store:view']],
		`^(?!(?:${[...withheldFromPrograms].join('|')})$)${codePattern}$`,
	),
	storeId: Type.Optional(
		optionalId(
			'The only store it reaches: required with employee:view:store and without employee:view:all, otherwise not allowed.',
		),
	),
	endsOn: Type.Optional(
		nullableDay(
			"The last day on which it works in the machine's time zone; today or later, at most a year ahead. null only without permissions.",
		),
	),
	redirectUris: Type.Optional(
		addresses('The addresses to which people return after signing in.', 'https://till.example/signed-in'),
	),
	signOutUris: Type.Optional(
		addresses('The addresses to which people return after signing out.', 'https://till.example/'),
	),
	isPublic: Type.Optional(
		Type.Boolean({
			error: '须为 true 或 false',
			description: 'Whether it cannot keep a secret, like a page or an app.',
			examples: [false],
		}),
	),
	signInPermission: Type.Optional(
		nullableCode({
			error: '须为权限编码，或 null',
			description: 'The permission that people need to sign in through it; null: everybody.',
			examples: [null],
		}),
	),
};

/** The body of POST /api/programs. */
export const CreateProgram = body('CreateProgram', 'The new program.', changeable);
export type CreateProgram = Static<typeof CreateProgram>;

/** The body of PATCH /api/programs/:id. */
export const UpdateProgram = atLeastOne('UpdateProgram', changeable);
export type UpdateProgram = Static<typeof UpdateProgram>;

/** The query of POST /api/programs/:id/key and of POST /api/programs/:id/secret. */
export const KeyQuery = parameters({
	at: choice(['once'], 'With once, earlier keys (or client secrets) end now instead of in an hour.'),
});
export type KeyQuery = Static<typeof KeyQuery>;

/** A program without its keys, which are stored as hashes only. */
export const Program = shape('Program', {
	id: Type.Integer({ examples: [3] }),
	name: Type.String({ examples: ['工资系统'] }),
	permissions: Type.Array(Type.Unsafe<PermissionCode>(Type.String()), {
		examples: [['employee:view:all', 'store:view']],
	}),
	storeId: nullableInteger(described('The only store that it reaches; null: all stores.', null)),
	storeName: nullableText(described('The name of that store, also of a deleted one.', null)),
	endsOn: nullableText(described('The last day on which it works; null: no end.', '2026-11-30')),
	redirectUris: Type.Array(Type.String(), { examples: [['https://till.example/signed-in']] }),
	signOutUris: Type.Array(Type.String(), { examples: [['https://till.example/']] }),
	isPublic: Type.Boolean({ examples: [false] }),
	signInPermission: nullableCode(described('The permission that people need to sign in through it.', null)),
	lastUsedAt: nullableTimestamp('The time of its last call, to the minute; null: never.'),
	...timestampFields,
});
export type Program = Static<typeof Program>;

const key = Type.String({
	description: 'For `Authorization: Bearer <key>`. Save it: it is shown only once.',
	examples: ['access_7vBq0uJt2cXk9Zr5LwYh3NdF8sGm1PaEoTi6QxCvRbU'],
});

const clientSecret = Type.String({
	description: 'For signing people in (OpenID Connect). Save it: it is shown only once.',
	examples: ['secret_7vBq0uJt2cXk9Zr5LwYh3NdF8sGm1PaEoTi6QxCvRbU'],
});

/** A new program with its key, if it has permissions, and its client secret, if it can keep one. */
export const NewProgram = shape('NewProgram', {
	...Program.properties,
	key: Type.Optional(key),
	clientSecret: Type.Optional(clientSecret),
});

/** A program with its new key. */
export const ProgramWithKey = shape('ProgramWithKey', { ...Program.properties, key });

/** A program with its new client secret. */
export const ProgramWithSecret = shape('ProgramWithSecret', { ...Program.properties, clientSecret });
