/** Examples of refusals, by name. They are made by the code that refuses. */
import type { TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { historyMessages } from '../../identity/history/model.ts';
import { changeOf, modified } from '../../identity/history/versions.ts';
import { rightsMessages } from '../../identity/rights/refusal.ts';
import { secondFactorMessages } from '../../identity/second-factor/model.ts';
import { lacksPermission, notForPrograms, notSignedIn, refusalFor } from '../../identity/session/refusals.ts';
import type { permitOf } from '../../identity/session/session.ts';
import { databaseMessages } from '../../platform/database/storage.ts';
import { tooLarge } from '../../platform/http/body.ts';
import { detailsOf } from '../../platform/http/failure.ts';
import { failureEnvelope, httpMessages, invalidRequest, tooManyAttempts } from '../../platform/http/reply.ts';
import { AppError, businessError, statusOf } from '../../platform/vocabulary/errors.ts';
import { undoHours } from '../../platform/vocabulary/history.ts';
import type { Reason } from '../../platform/vocabulary/reasons.ts';
import { administratorMessages } from '../administrators/model.ts';
import { approvalMessages } from '../approvals/model.ts';
import { areaMessages } from '../areas/model.ts';
import { authMessages } from '../auth/model.ts';
import { closingMessages, employeeMessages } from '../employees/model.ts';
import { pointMessages } from '../permissions/model.ts';
import { programMessages } from '../programs/model.ts';
import { roleMessages } from '../roles/model.ts';
import { storeMessages } from '../stores/model.ts';

/** An operation with what its route requires. */
export interface Described {
	operationId: string;
	path: string;
	permit: ReturnType<typeof permitOf>;
	hooks: RequestSchemas;
}

interface RequestSchemas {
	body?: TSchema;
	params?: TObject;
	query?: TObject;
}

/** A refusal and its name. */
type NamedRefusal = readonly [name: string, refusal: AppError];

const conflict = (path: string, reason: Reason) => businessError('CONFLICT', path, reason);
const badRequest = (path: string, reason: Reason) => businessError('BAD_REQUEST', path, reason);
const { taken, takenBy } = employeeMessages;
const phoneTaken = new AppError('CONFLICT', taken.phone, {
	details: [{ ...taken.phone, path: 'body.phone', message: takenBy(taken.phone.message, '王芳', '人民路店') }],
});
/** The refusal of a request about many, because of the first of them. */
const noneOf = (reason: Reason, cause: Reason) =>
	new AppError('NOT_FOUND', reason, { details: [{ path: 'body.ids.0', ...cause }] });

/** The refusals of rules, each with its name and the operations that it is an example of. */
const ofRules: readonly (readonly [...NamedRefusal, operations: string])[] = [
	['wrong password', refusalFor('WRONG_PASSWORD'), 'login adminLogin employeeLogin'],
	['disabled account', refusalFor('ACCOUNT_DISABLED'), 'login adminLogin employeeLogin'],
	['disabled store', refusalFor('STORE_DISABLED'), 'login adminLogin employeeLogin'],
	['no back office', refusalFor('NO_BACK_OFFICE'), 'login adminLogin'],
	['name taken', conflict('body.name', storeMessages.nameTaken), 'createStore updateStore'],
	['employees left', conflict('params.id', storeMessages.hasEmployees(1)), 'deleteStore'],
	['code taken', conflict('body.code', roleMessages.codeTaken), 'createRole updateRole'],
	['built-in role', conflict('params.id', roleMessages.builtIn), 'updateRole deleteRole'],
	['held by employees', conflict('params.id', roleMessages.bound(1)), 'deleteRole'],
	[
		'out of reach',
		businessError('FORBIDDEN', 'params.id', rightsMessages.otherStore),
		'getEmployee updateEmployee deleteEmployee setEmployeeStatus changeEmployeePassword resetEmployeePassword',
	],
	['phone taken', phoneTaken, 'createEmployee updateEmployee'],
	[
		'disabled store',
		badRequest('body.storeId', employeeMessages.badStore('store_inactive')),
		'createEmployee updateEmployee',
	],
	['wrong old password', badRequest('body.oldPassword', authMessages.wrongOldPassword), 'changeEmployeePassword'],
	['unknown id', noneOf(storeMessages.noneChanged(1), storeMessages.notFound), 'changeStores'],
	['no new store', conflict('params.id', closingMessages.needsMoveTo(1)), 'closeStore'],
	['unknown id', noneOf(employeeMessages.noneChanged(1), employeeMessages.notFound), 'changeEmployees'],
	['too late', conflict('params.groupId', employeeMessages.tooLate(undoHours)), 'undoEmployeeChanges'],
	['not deleted', conflict('params.id', employeeMessages.notDeleted), 'restoreEmployee'],
	['unknown id', noneOf(employeeMessages.noneGiven(1), employeeMessages.notFound), 'giveOneTimePasswords'],
	['already on', conflict('account.secondFactor', secondFactorMessages.alreadyEnabled), 'startSecondFactor'],
	['no secret yet', conflict('account.secondFactor', secondFactorMessages.notStarted), 'enableSecondFactor'],
	[
		'not on',
		conflict('account.secondFactor', secondFactorMessages.notEnabled),
		'disableSecondFactor renewRecoveryCodes',
	],
	['username taken', conflict('body.username', administratorMessages.usernameTaken), 'createAdministrator'],
	['name taken', conflict('body.name', areaMessages.nameTaken), 'createArea updateArea'],
	['code taken', conflict('body.code', pointMessages.codeTaken), 'createPermissionPoint'],
	['a program asks for it', conflict('params.id', pointMessages.askedBy('收银台')), 'deletePermissionPoint'],
	['name taken', conflict('body.name', programMessages.nameTaken), 'createProgram updateProgram'],
];

/** The reason for a missing thing, by the beginning of its path; the first one that fits. */
const missing: [path: string, reason: Reason][] = [
	['/api/auth/me/sign-ins/{', authMessages.noSignIn],
	['/api/employees/changes/{', employeeMessages.nothingToUndo],
	['/api/stores/{storeId}/employees/{', employeeMessages.notFound],
	['/api/stores/{', storeMessages.notFound],
	['/api/administrators/{', administratorMessages.notFound],
	['/api/approvals', approvalMessages.notFound],
	['/api/areas/{', areaMessages.notFound],
	['/api/roles/{', roleMessages.notFound],
	['/api/permissions/roles/{', roleMessages.notFound],
	['/api/permissions/points/{', pointMessages.notFound],
	['/api/employees/{', employeeMessages.notFound],
	['/api/programs/{', programMessages.notFound],
	['/api/history/{', historyMessages.notFound],
];

/** The refusals by the permit of a route, and for a path that names nothing. */
function refusalsOfRoute({ path, permit }: Described): NamedRefusal[] {
	const reason = missing.find(([beginning]) => path.startsWith(beginning))?.[1];
	const unknown: NamedRefusal[] = reason ? [['unknown id', new AppError('NOT_FOUND', reason)]] : [];
	return permit ? [['no token', notSignedIn('token_missing')], refusedBy(permit), ...unknown] : unknown;
}

function refusedBy({ groups: [codes], despite }: NonNullable<Described['permit']>): NamedRefusal {
	if (codes) return ['not permitted', lacksPermission(codes)];
	if (despite.includes('OWN_PASSWORD')) return ['not for programs', notForPrograms()];
	return ['password to set', refusalFor('OWN_PASSWORD')];
}

const change = { actorType: 'EMPLOYEE', actorName: '王芳', at: '2026-11-22T07:32:00.000Z' } as const;

/** The refusals of every operation with their status. */
const ofEveryRoute: readonly NamedRefusal[] = [
	['changed by somebody else', modified([changeOf('name', '王芳', change)])],
	['too large', tooLarge()],
	['too many attempts', tooManyAttempts(1)],
	['unforeseen', new AppError('INTERNAL_SERVER_ERROR', httpMessages.unforeseen)],
	['no database', new AppError('SERVICE_UNAVAILABLE', databaseMessages.unreachable)],
];

/**
 * The refusal of a request in the wrong form: with an empty body, with ids of 0, or with a parameter that is not a text,
 * or else with a wrong `Host`.
 */
function wrongForm({ body, params, query }: RequestSchemas): AppError {
	if (body && !('contentTypes' in body)) return broken('body', body, {});
	if (params) return broken('params', params, Object.fromEntries(namesIn(params).map((name) => [name, '0'])));
	if (query) return broken('query', query, { [namesIn(query).at(-1) ?? '']: '\0' });
	return invalidRequest([{ path: 'headers.host', ...httpMessages.badHost }]);
}

const namesIn = ({ properties }: TObject) => Object.keys(properties);

const broken = (part: string, schema: TSchema, value: object) =>
	invalidRequest(detailsOf(part, Value.Errors(schema, value)));

/** The refusals of an operation as examples, by status and by name. */
export function examplesOf(described: Described): ReadonlyMap<string, Record<string, { value: unknown }>> {
	const form = wrongForm(described.hooks);
	// An empty body can be right.
	const ofForm: NamedRefusal[] = form.details.length > 0 ? [['wrong form', form]] : [];
	const ofOperation = ofRules.filter(([, , operations]) => operations.split(' ').includes(described.operationId));
	const examples = new Map<string, Record<string, { value: unknown }>>();
	for (const [name, refusal] of [...ofForm, ...refusalsOfRoute(described), ...ofOperation, ...ofEveryRoute]) {
		const ofStatus = examples.getOrInsertComputed(`${statusOf[refusal.code]}`, () => ({}));
		ofStatus[name] = { value: failureEnvelope(refusal) };
	}
	return examples;
}
